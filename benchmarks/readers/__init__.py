"""What readers make of labelled claims: a desk for requests, stored readings, weights learnt from them."""
