# A cross-encoder with a second head for relevance. One thread of two cores that twenty other processes shared.
python -m training mix --mix training/runs/mix8 --seed 31 --synthetic 40000 --sheets 25000 --irrelevant 55000 --relations 0
python -m training train --architecture cross-encoder --relevance --mix training/runs/mix8 --run training/runs/8 \
    --max-length 144 --rate 2e-4 --seed 31 --threads 1 --pairs 2000000 --minutes 97    # stopped at minute 14
python -m training mix --mix training/runs/mix9 --seed 32 --synthetic 45000 --sheets 24000 --irrelevant 45000 --relations 14000
python -m training train --from training/runs/8 --mix training/runs/mix9 --run training/runs/9 --max-length 144 \
    --rate 2e-4 --seed 32 --threads 1 --pairs 2000000 --minutes 81 --done 0.14
python -m training calibrate --run training/runs/9 --mix training/runs/mix9 --max-length 160
python -m training export --run training/runs/9 --max-length 160 --model training/runs/9/model
python -m training evaluate --rows 200 --sets real --model training/runs/9/model --output training/results/third_round.json
python -m training rerank training/runs/9/model --claims 30 --passages 700 --top-n 20 --output training/results/third_round_reranker.json
python -m training compare --mix training/runs/mix9 FLOAT training/runs/9/model signals/verifier_signals/models/nli --output training/results/third_round_held_back.json
