# Goes on from the third round (its last run, training/runs/9), on one thread of two cores that other work shared.
python -m training mix --mix training/runs/mix10 --seed 34 --synthetic 60000 --sheets 24000 --irrelevant 40000 --relations 10000
python -m training train --from training/runs/9 --mix training/runs/mix10 --run training/runs/10 --max-length 192 \
    --rate 2e-4 --seed 34 --threads 1 --pairs 3000000 --minutes 76
python -m training calibrate --run training/runs/10 --mix training/runs/mix10 --max-length 192
python -m training export --run training/runs/10 --max-length 192 --model training/runs/10/model
python -m training rerank training/runs/10/model --claims 40 --passages 900 --top-n 30 --write --output training/results/fourth_round_reranker.json
python -m training evaluate --sets real --model training/runs/10/model --output training/results/fourth_round.json
