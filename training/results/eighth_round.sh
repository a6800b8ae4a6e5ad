# The eighth round, not shipped: from the checkpoint of the seventh before it was averaged (training/runs/16).
python -m training mix --mix training/runs/mix18 --seed 43 --synthetic 50000 --joined 16000 --sheets 8000 --irrelevant 20000 \
    --relations 5000 --written 34000 --others 60000
python -m training train --from training/runs/16 --mix training/runs/mix18 --run training/runs/18 --max-length 160 \
    --batch-tokens 4096 --rate 1.6e-4 --seed 43 --threads 1 --frozen-layers 4 --pairs 3000000 --minutes 88 --done 0.02 \
    --check-every 900                                     # stopped after minute 47
python -m training mix --mix training/runs/mix19 --seed 44 --synthetic 50000 --joined 16000 --sheets 6000 --irrelevant 20000 \
    --relations 4000 --written 40000 --others 40000
python -m training train --from training/runs/18 --mix training/runs/mix19 --run training/runs/19 --max-length 160 \
    --batch-tokens 4096 --rate 1.6e-4 --seed 44 --threads 1 --frozen-layers 4 --pairs 3000000 --minutes 42 --done 0.5 \
    --check-every 600
python -m training blend training/runs/19 --from training/runs/17 --share 0.5 --run training/runs/20
