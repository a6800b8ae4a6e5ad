# The teacher's probabilities for 54,536 pairs, then the twelfth round's mean with four joint layers taught by them (47 pairs a
# second of 95 tokens on two threads beside other work). Stopped after minute 24, when verdicts were worse than with its start. A
# second try, with pairs of windows as a verification reads them, was made outside the pipeline (JOURNAL.md). Not shipped.
python -m training mix --mix training/runs/mix49 --seed 79 --synthetic 1500 --joined 3500 --sheets 1200 --irrelevant 3500 \
    --relations 300 --written 30000 --twins 3000 --others 20000 --longest 110
python -m training soften --mix training/runs/mix49 --teacher training/runs/t49 --output training/runs/mix50 --max-length 200 --rows 400
python -m training train --from training/runs/46 --mix training/runs/mix50 --run training/runs/51 --max-length 200 \
    --batch-tokens 5120 --rate 2e-4 --seed 91 --threads 2 --frozen-layers 2 --pairs 3000000 --minutes 55 --taught 0.7 --check-every 480
