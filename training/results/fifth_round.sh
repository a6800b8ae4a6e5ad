# Goes on from the shipped split model with left-out phrases in the mix. One thread of two cores that other work shared,
# float32 (no bfloat16 in hardware); stopped at minute 13, after the checkpoint of minute 9.
python -m training mix --mix training/runs/mix11 --seed 35 --synthetic 60000 --sheets 24000 --irrelevant 25000 --relations 10000
python -m training train --from signals/verifier_signals/models/nli --mix training/runs/mix11 --run training/runs/11 --max-length 160 \
    --frozen-layers 4 --rate 1.5e-4 --seed 35 --threads 1 --pairs 3000000 --minutes 58 --check-every 540
python -m training export --run training/runs/11 --max-length 160 --precision float --model training/runs/11/float
python -m training export --run training/runs/11 --max-length 160 --model training/runs/11/int8
python -m training compare --mix training/runs/mix11 SHIPPED training/runs/11/float training/runs/11/int8 --rows 800    # fifth_round_held_back.json
