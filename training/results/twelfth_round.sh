# From the shipped int8 model with two more joint layers, on a processor with AVX-512 and bfloat16 (55 pairs a second and thread with
# two joint layers, 38 with four, at 83 tokens a pair). Mix 42 was drawn when the first three of the new files of written claims were
# there, mix 43 with nine, mix 44 with eighteen of twenty-two; two threads but for run 42. Not shipped: verdicts lose (JOURNAL.md).
python -m training mix --mix training/runs/mix41 --seed 71 --synthetic 30000 --joined 14000 --sheets 6000 --irrelevant 16000 \
    --relations 4000 --written 80000 --twins 16000 --others 120000
python -m training deepen signals/verifier_signals/models/nli --mix training/runs/mix41 --run training/runs/41 --joint-layers 4 --max-length 160
python -m training mix --mix training/runs/mix42 --seed 72 --synthetic 20000 --joined 8000 --sheets 3000 --irrelevant 9000 \
    --relations 1500 --written 62000 --twins 14000 --others 60000
python -m training train --from training/runs/41 --mix training/runs/mix42 --run training/runs/42 --max-length 160 \
    --batch-tokens 4096 --rate 2e-4 --seed 81 --threads 1 --frozen-layers 2 --pairs 3000000 --minutes 12 --done 0.3 --check-every 240
python -m training mix --mix training/runs/mix43 --seed 73 --synthetic 20000 --joined 8000 --sheets 3000 --irrelevant 9000 \
    --relations 1500 --written 84000 --twins 20000 --others 80000
python -m training train --from training/runs/42 --mix training/runs/mix43 --run training/runs/43 --max-length 256 \
    --batch-tokens 5120 --rate 2.2e-4 --seed 83 --threads 2 --frozen-layers 2 --pairs 3000000 --minutes 33 --done 0.1 --check-every 480
python -m training mix --mix training/runs/mix44 --seed 74 --synthetic 8000 --joined 3000 --sheets 1500 --irrelevant 4000 \
    --relations 500 --written 52000 --twins 12000 --others 34000 --longest 130 --genres twins_tables twins_paraphrases \
    twins_long_sources twins_replies twins_lives twins_reports twins_rules twins_sources twins_edits twins_lists twins_wording \
    twins_events twins_comparisons twins_answers twins_bridges twins_digests twins_certainty twins_unsaid twins_services \
    twins_manuals twins_everyday twins_news twins_two_documents
python -m training train --from training/runs/43 --mix training/runs/mix44 --run training/runs/44 --max-length 224 \
    --batch-tokens 5120 --rate 2e-4 --seed 84 --threads 2 --frozen-layers 1 --pairs 3000000 --minutes 26 --done 0.3 --check-every 600
python -m training blend training/runs/44 --from training/runs/43 --share 0.5 --run training/runs/45
python -m training blend training/runs/45 --from training/runs/41 --share 0.65 --run training/runs/46
