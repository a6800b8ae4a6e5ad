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
python -m training evaluate --rows 200 --output training/results/int8.json
python -m training card --run training/runs/4
