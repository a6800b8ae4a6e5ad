python -m training.encoders export
python -m training.encoders static
python -m training.encoders precision
python -m training.encoders judge hashing static minilm
python -m training.encoders card
