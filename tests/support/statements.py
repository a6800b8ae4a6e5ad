"""Responses that are taken apart, each with the claims that it comes to."""

from __future__ import annotations

TAKEN_APART: list[tuple[str, list[str]]] = [
    (
        "Ada Dahl, who founded Acme in 1990, lives in Bonn.",
        ["Ada Dahl founded Acme in 1990", "Ada Dahl lives in Bonn."],
    ),
    (
        "Acme acquired Birch Ltd, which makes rowing boats.",
        ["Acme acquired Birch Ltd", "Birch Ltd makes rowing boats."],
    ),
    (
        "Acme, a tea trader in Bonn, was founded in 1990.",
        ["Acme is a tea trader in Bonn", "Acme was founded in 1990."],
    ),
    (
        "The clinic is run by Dr Maria Lund, a cardiologist from Oslo.",
        ["The clinic is run by Dr Maria Lund", "Dr Maria Lund is a cardiologist from Oslo."],
    ),
    (
        "The river floods every spring; the dam was built in 1931; it is 40 metres high.",
        ["The river floods every spring.", "the dam was built in 1931.", "the dam is 40 metres high."],
    ),
    (
        "Maria Lund was born in Oslo in 1971. In 1995, she moved to Bergen.",
        ["Maria Lund was born in Oslo in 1971.", "In 1995, Maria Lund moved to Bergen."],
    ),
    (
        "Maria Lund was born in Oslo. The hospital hired her in 1995.",
        ["Maria Lund was born in Oslo.", "The hospital hired Maria Lund in 1995."],
    ),
    (
        "Maria Lund was born in Oslo. Her brother runs a bakery.",
        ["Maria Lund was born in Oslo.", "Maria Lund's brother runs a bakery."],
    ),
    (
        "Maria Lund was born in Oslo. Since 1995 she has worked in Bergen and her brother in Turku.",
        [
            "Maria Lund was born in Oslo.",
            "Since 1995 Maria Lund has worked in Bergen and her brother in Turku.",
        ],
    ),
    (
        "The Norfell Bridge opened in 1931. Engineers repaired it in 1964.",
        ["The Norfell Bridge opened in 1931.", "Engineers repaired the Norfell Bridge in 1964."],
    ),
    (
        "The Norfell Bridge opened in 1931. At 400 metres, it is the longest in the county.",
        [
            "The Norfell Bridge opened in 1931.",
            "At 400 metres, the Norfell Bridge is the longest in the county.",
        ],
    ),
    (
        "The Norfell Bridge opened in 1931. Its span is 400 metres.",
        ["The Norfell Bridge opened in 1931.", "The Norfell Bridge's span is 400 metres."],
    ),
    (
        "The Norfell Bridge opened in 1931. The bridge is 400 metres long.",
        ["The Norfell Bridge opened in 1931.", "The Norfell Bridge is 400 metres long."],
    ),
    (
        "Larkdesk sells tents. The company was founded in 1990. It employs 40 people.",
        ["Larkdesk sells tents.", "The company was founded in 1990.", "The company employs 40 people."],
    ),
    (
        "The Gold plan costs 40 euros. This plan includes dental care.",
        ["The Gold plan costs 40 euros.", "The Gold plan includes dental care."],
    ),
    (
        "The Gold plan costs 40 euros and the Silver plan costs 20. This plan includes dental care.",
        ["The Gold plan costs 40 euros", "the Silver plan costs 20.", "This plan includes dental care."],
    ),
    (
        "Dr. Hall and Dr. Moss wrote the report. They blamed the pump.",
        ["Dr. Hall and Dr. Moss wrote the report.", "Dr. Hall and Dr. Moss blamed the pump."],
    ),
    (
        "Nurses work 12 hours. They get three breaks. Their shifts start at 7.",
        ["Nurses work 12 hours.", "Nurses get three breaks.", "Their shifts start at 7."],
    ),
    (
        "Patients receive two tablets. These must be taken with food.",
        ["Patients receive two tablets.", "These must be taken with food."],
    ),
    (
        "The committee rejected the plan. This surprised the mayor.",
        ["The committee rejected the plan.", "This surprised the mayor."],
    ),
    ("The court fined Acme. The firm appealed.", ["The court fined Acme.", "The firm appealed."]),
    (
        "The drug lowers blood pressure and it can cause dizziness, but it does not affect the kidneys.",
        [
            "The drug lowers blood pressure",
            "The drug can cause dizziness.",
            "The drug does not affect the kidneys.",
        ],
    ),
    (
        "The drug lowers blood pressure and relieves pain.",
        ["The drug lowers blood pressure", "The drug relieves pain."],
    ),
    (
        "Frogs breathe through their skin and hibernate in mud.",
        ["Frogs breathe through their skin", "Frogs hibernate in mud."],
    ),
    (
        "The probe reached Mars in 2004, landed near a crater and sent 400 images.",
        ["The probe reached Mars in 2004, landed near a crater", "The probe sent 400 images."],
    ),
    (
        "The probe reached Mars in 2004 and landed near a crater.",
        ["The probe reached Mars in 2004", "The probe landed near a crater."],
    ),
    (
        "The village, whose church dates from 1120, has 300 inhabitants.",
        ["The village's church dates from 1120", "The village has 300 inhabitants."],
    ),
    (
        "The train leaves at 9:05, arrives at 11:40 and costs 30 euros.",
        ["The train leaves at 9:05.", "The train arrives at 11:40", "The train costs 30 euros."],
    ),
    (
        "The treaty was signed in 1648 and ended the war.",
        ["The treaty was signed in 1648", "The treaty ended the war."],
    ),
    ("No pets are allowed and smoking is prohibited.", ["No pets are allowed", "smoking is prohibited."]),
    (
        "Water boils at 100 degrees and freezes at 0 degrees.",
        ["Water boils at 100 degrees", "Water freezes at 0 degrees."],
    ),
    (
        "The filter removes lead, and chlorine passes through.",
        ["The filter removes lead.", "chlorine passes through."],
    ),
    (
        "The Alder model weighs 2 kg, while the Birch model weighs 3 kg.",
        ["The Alder model weighs 2 kg.", "the Birch model weighs 3 kg."],
    ),
    (
        "The tower is 90 m high – it was finished in 1910.",
        ["The tower is 90 m high –", "The tower was finished in 1910."],
    ),
    (
        "Sales rose 5 percent to 40 million euros, but profit fell 2 percent to 3 million euros.",
        ["Sales rose 5 percent to 40 million euros.", "profit fell 2 percent to 3 million euros."],
    ),
    ("Sales rose 5 percent and profit fell 2 percent.", ["Sales rose 5 percent", "profit fell 2 percent."]),
    (
        "Interest is paid monthly and capital is repaid at maturity.",
        ["Interest is paid monthly", "capital is repaid at maturity."],
    ),
    (
        "Tom Reed, chief executive of Acme, resigned in May.",
        ["Tom Reed is chief executive of Acme", "Tom Reed resigned in May."],
    ),
    (
        "The vaccine protects against measles and mumps and is given in two doses.",
        ["The vaccine protects against measles and mumps", "The vaccine is given in two doses."],
    ),
    (
        "The committee elects the chair and appoints two deputies.",
        ["The committee elects the chair", "The committee appoints two deputies."],
    ),
    (
        "The plant stopped production and laid off 40 workers.",
        ["The plant stopped production", "The plant laid off 40 workers."],
    ),
    (
        "The student must pass the exam and submit a thesis.",
        ["The student must pass the exam", "The student must submit a thesis."],
    ),
    (
        "The lake does not freeze in winter and attracts swans.",
        ["The lake does not freeze in winter", "The lake attracts swans."],
    ),
    (
        "The bill was passed in May and vetoed by the president.",
        ["The bill was passed in May", "The bill was vetoed by the president."],
    ),
    (
        "Whoever wins the race gets a medal and the loser gets nothing.",
        ["Whoever wins the race gets a medal", "the loser gets nothing."],
    ),
    (
        "Her novel The Reed, a tale of two sisters, won a prize.",
        ["Her novel The Reed is a tale of two sisters", "Her novel The Reed won a prize."],
    ),
    (
        "The mayor, whose term ends in May, will not run again.",
        ["The mayor's term ends in May", "The mayor will not run again."],
    ),
    (
        "Smokers, who face a higher risk, should be screened.",
        ["Smokers face a higher risk", "Smokers should be screened."],
    ),
    (
        "The play was directed by Nils Berg, who was born in Oslo.",
        ["The play was directed by Nils Berg", "Nils Berg was born in Oslo."],
    ),
    ("She thanked Maria Lund, who was not there.", ["She thanked Maria Lund", "Maria Lund was not there."]),
    (
        "The ship carried 300 passengers and 40 crew members and sank in 1912.",
        ["The ship carried 300 passengers and 40 crew members", "The ship sank in 1912."],
    ),
    (
        "The clinic treats children; adults are sent to Bonn; no one is turned away.",
        ["The clinic treats children.", "adults are sent to Bonn.", "no one is turned away."],
    ),
    (
        "The law, which took effect in May 2010, bans smoking, and the fine is 50 euros.",
        ["The law took effect in May 2010", "The law bans smoking, and the fine is 50 euros."],
    ),
    (
        "Every applicant fills in a form and pays 5 euros.",
        ["Every applicant fills in a form", "Every applicant pays 5 euros."],
    ),
    (
        "Each team has 11 players and plays 30 games.",
        ["Each team has 11 players", "Each team plays 30 games."],
    ),
    (
        "The plan includes:\n- parking\n- a pool that opens at 9\n- breakfast, which costs 5 euros",
        [
            "The plan includes parking",
            "The plan includes a pool that opens at 9",
            "The plan includes breakfast, which costs 5 euros",
        ],
    ),
    (
        "Opening hours:\n\n| Day | Opens | Closes |\n|---|---|---|\n| Monday | 9:00 | 17:00 |\n| Sunday | — | — |",
        ["Monday, Opens: 9:00", "Monday, Closes: 17:00", "Day: Sunday"],
    ),
    (
        "The dosage depends on age:\n1. Adults take 2 tablets.\n2. Children take 1 tablet.",
        ["The dosage depends on age:", "Adults take 2 tablets.", "Children take 1 tablet."],
    ),
    (
        "Members of the club can:\n* use the sauna,\n* borrow skis, and\n* bring a guest.",
        [
            "Members of the club can use the sauna.",
            "Members of the club can borrow skis.",
            "Members of the club can bring a guest.",
        ],
    ),
    ("**Key figures**\n- Revenue: 5 million euros\n- Staff: 40", ["Revenue: 5 million euros", "Staff: 40"]),
    (
        "For patients over 65:\n- The dose is halved.\n- Alcohol is forbidden.",
        ["For patients over 65: The dose is halved.", "For patients over 65: Alcohol is forbidden."],
    ),
    (
        "The treaty has three parts. The first deals with trade. The second deals with fishing.",
        ["The treaty has three parts.", "The first deals with trade.", "The second deals with fishing."],
    ),
    (
        "Larkdesk is a software firm in Bonn. The firm has 40 staff. Its founder is Ada Dahl.",
        ["Larkdesk is a software firm in Bonn.", "Larkdesk has 40 staff.", "Larkdesk's founder is Ada Dahl."],
    ),
    (
        "Birch Bank was founded in 1880. The bank has 12 branches. It was sold in 1990.",
        ["Birch Bank was founded in 1880.", "Birch Bank has 12 branches.", "Birch Bank was sold in 1990."],
    ),
    (
        "The Reed Act was passed in 1990. This law bans asbestos.",
        ["The Reed Act was passed in 1990.", "This law bans asbestos."],
    ),
    (
        "Ada Dahl and Ola Moe lead the lab. They joined in 2001.",
        ["Ada Dahl and Ola Moe lead the lab.", "They joined in 2001."],
    ),
    (
        "Ada Dahl leads the lab. Ola Moe leads the clinic. She joined in 2001.",
        ["Ada Dahl leads the lab.", "Ola Moe leads the clinic.", "She joined in 2001."],
    ),
    (
        "The mill was built in 1800. It burned down in 1850. In 1860 it was rebuilt.",
        ["The mill was built in 1800.", "The mill burned down in 1850.", "In 1860 the mill was rebuilt."],
    ),
    (
        "The striker joined Turku in 2010. He scored 12 goals.",
        ["The striker joined Turku in 2010.", "He scored 12 goals."],
    ),
    ("Mr Reed owns the inn. Guests like him.", ["Mr Reed owns the inn.", "Guests like Mr Reed."]),
    (
        "The valves leak. Engineers replaced them in May.",
        ["The valves leak.", "Engineers replaced them in May."],
    ),
    ("The company was fined. It appealed.", ["The company was fined.", "The company appealed."]),
    (
        "It is raining. It takes two hours to get there.",
        ["It is raining.", "It takes two hours to get there."],
    ),
    (
        "The hut has no water. There is a spring nearby.",
        ["The hut has no water.", "There is a spring nearby."],
    ),
    (
        "Norfell lies on the coast. The town has 3,000 inhabitants. Its port is small.",
        ["Norfell lies on the coast.", "The town has 3,000 inhabitants.", "The town's port is small."],
    ),
    ("Thanks for asking! The pass costs 5 euros. Let me know if you need more.", ["The pass costs 5 euros."]),
    (
        "Dr. Moe's team found the gene. It causes deafness.",
        ["Dr. Moe's team found the gene.", "It causes deafness."],
    ),
    (
        "The first bus leaves at 6. The last one leaves at 23.",
        ["The first bus leaves at 6.", "The last one leaves at 23."],
    ),
    (
        "The city bought the mill. That year, it was flooded.",
        ["The city bought the mill.", "That year, it was flooded."],
    ),
    (
        "Maria Lund was born in Oslo. The hospital sold her house.",
        ["Maria Lund was born in Oslo.", "The hospital sold her house."],
    ),
    (
        "Maria Lund was born in Oslo. Since 1995 she has worked in Bergen.",
        ["Maria Lund was born in Oslo.", "Since 1995 Maria Lund has worked in Bergen."],
    ),
    (
        "Maria Lund was born in Oslo. It was a cold day.",
        ["Maria Lund was born in Oslo.", "It was a cold day."],
    ),
    (
        "Maria Lund met Ola Moe. The hospital hired him.",
        ["Maria Lund met Ola Moe.", "The hospital hired him."],
    ),
    (
        "The Norfell Bridge opened in 1931. A storm has damaged it.",
        ["The Norfell Bridge opened in 1931.", "A storm has damaged the Norfell Bridge."],
    ),
    (
        "Larkdesk, Birch and Acme make boats. The latter was founded in 1990.",
        ["Larkdesk, Birch and Acme make boats.", "The latter was founded in 1990."],
    ),
    (
        "Patients receive two tablets. They must be taken with food.",
        ["Patients receive two tablets.", "They must be taken with food."],
    ),
    ("Larkdesk sells tents. He left in 2010.", ["Larkdesk sells tents.", "He left in 2010."]),
    (
        "Larkdesk sells tents. In 2010 it moved to Bonn.",
        ["Larkdesk sells tents.", "In 2010 Larkdesk moved to Bonn."],
    ),
    (
        "The pool is open and the sauna is closed. It costs 5 euros.",
        ["The pool is open", "the sauna is closed.", "It costs 5 euros."],
    ),
    (
        "Acme acquired Birch Ltd, which makes boats. It employs 40 people.",
        ["Acme acquired Birch Ltd", "Birch Ltd makes boats.", "It employs 40 people."],
    ),
    (
        "Ada Dahl, who founded Acme, lives in Bonn. She has two sons.",
        ["Ada Dahl founded Acme", "Ada Dahl lives in Bonn.", "Ada Dahl has two sons."],
    ),
    (
        "Nurses work 12 hours. The hospital pays them in cash.",
        ["Nurses work 12 hours.", "The hospital pays Nurses in cash."],
    ),
    (
        "Dr. Reed runs the bank. His salary is 5 euros. In 2010 he moved to Bonn.",
        ["Dr. Reed runs the bank.", "Dr. Reed's salary is 5 euros.", "In 2010 Dr. Reed moved to Bonn."],
    ),
    ("Refunds take 30 days. They are free.", ["Refunds take 30 days.", "Refunds are free."]),
    ("Cats eat mice. They are small.", ["Cats eat mice.", "Cats are small."]),
    ("The mayor visited the mine. It closed in 1990.", ["The mayor visited the mine.", "It closed in 1990."]),
    (
        "Ada Dahl said the plant would close. The staff will move.",
        ["Ada Dahl said the plant would close.", "The staff will move."],
    ),
    ('The sign says "Closed". The door is open.', ['The sign says "Closed".', "The door is open."]),
    ('"The plan is dead. We start again."', ['"The plan is dead.', 'We start again."']),
    (
        "The painter was born in Ghent and died in Rome.",
        ["The painter was born in Ghent", "The painter died in Rome."],
    ),
    (
        "The patient had a fever; however, the scan was clear.",
        ["The patient had a fever.", "the scan was clear."],
    ),
    (
        "The glacier feeds the river — it has shrunk by a third.",
        ["The glacier feeds the river —", "The glacier has shrunk by a third."],
    ),
]
