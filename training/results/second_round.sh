# From the shipped int8 model, with fact sheets (26 of 43 were written at stage 5). Two cores, shared with other work.
python -m training mix --mix training/runs/mix5 --seed 17 --synthetic 110000 --sheets 36000
python -m training train --from signals/verifier_signals/models/nli --mix training/runs/mix5 --run training/runs/5 --max-length 224 \
    --rate 1.5e-4 --seed 17 --minutes 130 --check-every 420              # stopped at minute 14
python -m training mix --mix training/runs/mix6 --seed 18 --synthetic 70000 --sheets 110000
python -m training train --from training/runs/5 --mix training/runs/mix6 --run training/runs/6 --max-length 224 \
    --rate 1.6e-4 --seed 18 --pairs 2000000 --minutes 78 --check-every 600   # stopped at minute 30
python -m training mix --mix training/runs/mix7 --seed 19 --synthetic 50000 --sheets 160000
python -m training train --from training/runs/6 --mix training/runs/mix7 --run training/runs/7 --max-length 192 \
    --rate 1.5e-4 --seed 19 --pairs 2000000 --minutes 50 --check-every 750
