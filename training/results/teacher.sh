# A teacher on two cores with AVX-512 and bfloat16: first mostly the data sets, then as many written claims (pairs a second: 18 of 68
# tokens, alone; 8 of 96, beside other work). ENCODER is the folder of all-mpnet-base-v2 (Apache-2.0). What it taught: thirteenth_round.sh.
python -m training mix --mix training/runs/mix48 --seed 78 --synthetic 4000 --joined 2000 --sheets 1500 --irrelevant 5000 \
    --relations 500 --written 20000 --twins 3000 --others 130000 --longest 120
python -m training teach $ENCODER --mix training/runs/mix48 --run training/runs/t48 --minutes 35 --max-length 160 --check-every 420
python -m training mix --mix training/runs/mix47 --seed 77 --synthetic 12000 --joined 8000 --sheets 2500 --irrelevant 9000 \
    --relations 1000 --written 84000 --twins 12000 --others 70000 --longest 170
python -m training teach training/runs/t48 --mix training/runs/mix47 --run training/runs/t49 --minutes 65 --max-length 224 \
    --seed 21 --check-every 500
