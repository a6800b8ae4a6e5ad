# From the shipped int8 model, mostly on claims written by hand (training/written): 4,044 of them at the first step, 8,010 at
# the second, 10,217 at the third; 932 passages with 14,399 claims are there now. One thread at 7 to 9 pairs a second. The other
# pairs of the first two steps were drawn from the mix of the fifth round.
python -m training mix --mix training/runs/mix12 --seed 2 --synthetic 60000 --sheets 24000 --irrelevant 25000 --relations 10000 \
    --written 6500 --others 5000
python -m training train --from signals/verifier_signals/models/nli --mix training/runs/mix12 --run training/runs/12 --max-length 224 \
    --rate 1.2e-4 --seed 7 --threads 1 --frozen-layers 4 --pairs 3000000 --minutes 22
python -m training mix --mix training/runs/mix13 --seed 3 --synthetic 60000 --sheets 24000 --irrelevant 25000 --relations 10000 \
    --written 7100 --others 3500
python -m training train --from training/runs/12 --mix training/runs/mix13 --run training/runs/13 --max-length 224 \
    --rate 1.2e-4 --seed 7 --threads 1 --frozen-layers 4 --pairs 3000000 --minutes 15
python -m training mix --mix training/runs/mix14 --seed 36 --synthetic 60000 --sheets 24000 --irrelevant 40000 --relations 10000 \
    --written 11000 --others 6000
python -m training train --from training/runs/13 --mix training/runs/mix14 --run training/runs/14 --max-length 224 \
    --rate 1.3e-4 --seed 7 --threads 1 --frozen-layers 4 --pairs 3000000 --minutes 24
python -m training calibrate --run training/runs/14 --mix training/runs/mix14 --max-length 160 --rows 1500
python -m training export --run training/runs/14 --max-length 160 --model training/runs/14/model
python -m training evaluate --sets real --rows 100 --model training/runs/14/model --output training/results/sixth_round.json
