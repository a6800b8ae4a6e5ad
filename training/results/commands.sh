python -m training mix --mix training/runs/mix1 --seed 13 --synthetic 0
python -m training train --mix training/runs/mix1 --run training/runs/1 --max-length 100 --frozen-layers 6 \
    --rate 4e-4 --batch-tokens 4096                       # stopped after 25,181 pairs
python -m training mix --mix training/runs/mix2 --seed 13 --synthetic 50000
python -m training train --from training/runs/1 --mix training/runs/mix2 --run training/runs/2 --max-length 128 \
    --frozen-layers 6 --rate 3e-4                         # stopped after 70,811 pairs
python -m training mix --mix training/runs/mix3 --seed 14 --synthetic 80000
python -m training train --from training/runs/2 --mix training/runs/mix3 --run training/runs/3 --max-length 160 \
    --frozen-layers 2 --rate 1.5e-4 --seed 14             # stopped after 11,091 pairs
python -m training mix --seed 15 --synthetic 100000
python -m training train --from training/runs/3 --run training/runs/4 --max-length 144 --frozen-layers 4 \
    --rate 2e-4 --seed 15 --minutes 34                    # stopped after 49,295 pairs, at minute 32
python -m training calibrate --run training/runs/4 --max-length 160
python -m training export --run training/runs/4 --max-length 160
# The seventh round, from that model (now signals/models/nli): half on claims written by hand, then averaged with its start.
# One thread in float32; both steps were stopped before their rate had fallen to nothing, at minutes 32 and 47.
python -m training mix --mix training/runs/mix15 --seed 41 --synthetic 50000 --sheets 12000 --irrelevant 20000 --relations 6000 \
    --written 26000 --others 50000
python -m training train --from signals/models/nli --mix training/runs/mix15 --run training/runs/15 --max-length 160 \
    --batch-tokens 4096 --rate 1.6e-4 --seed 41 --threads 1 --frozen-layers 4 --pairs 3000000 --minutes 90 --check-every 600
python -m training mix --mix training/runs/mix16 --seed 42 --synthetic 50000 --sheets 12000 --irrelevant 20000 --relations 6000 \
    --written 34000 --others 36000
python -m training train --from training/runs/15 --mix training/runs/mix16 --run training/runs/16 --max-length 160 \
    --batch-tokens 4096 --rate 1.6e-4 --seed 42 --threads 1 --frozen-layers 4 --pairs 3000000 --minutes 55 --done 0.33 --check-every 900
# Of the shares 0.25, 0.35, 0.5 and 0.75 the largest with which a fact among six others is still entailed (test_nli_model.py).
python -m training blend training/runs/16 --from signals/models/nli --share 0.35 --run training/runs/17
python -m training calibrate --run training/runs/17 --mix training/runs/mix16 --max-length 160 --rows 1000
python -m training export --run training/runs/17 --max-length 160 --precision int8-reduced
python -m training evaluate --sets real --rows 200 --output training/results/int8.json
python -m training card --mix training/runs/mix16
