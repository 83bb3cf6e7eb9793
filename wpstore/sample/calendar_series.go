package sample

// series are what comes back week after week.
func series() []event {
	return []event{
		{title: "Farmers’ market", day: -24, every: 7, times: 10, at: "08:00", minutes: 240, venue: "square", organizers: "farmers", cats: "markets", tags: "outdoors regional free", cost: "0", image: "square",
			text: "Vegetables, bread, cheese and honey from within thirty kilometres.\nBring your own bags; the coffee cart is there from seven."},
		{title: "Story time", day: -19, every: 7, times: 8, at: "16:00", minutes: 60, venue: "library", organizers: "library", cats: "children books", tags: "free family accessible", cost: "0", image: "library",
			text: "Picture books read aloud for children from three to six. Parents may stay, or browse upstairs."},
		{title: "Jazz night", day: -25, every: 14, times: 7, at: "20:00", minutes: 150, venue: "culture", organizers: "jazz", cats: "jazz", tags: "evening tickets", cost: "180 120", image: "stage",
			text: "Two sets with guests. The bar opens at seven.", excerpt: "Live jazz every other week."},
		{title: "Thursday run", day: -16, every: 7, times: 8, at: "18:30", minutes: 75, venue: "park", organizers: "run", cats: "running", tags: "outdoors free", cost: "0", image: "river",
			text: "Six or ten kilometres along the river, at a pace for talking. We meet at the footbridge."},
		{title: "Council meeting", day: -40, every: 28, times: 5, at: "17:00", minutes: 180, venue: "townhall", organizers: "town", cats: "town", tags: "free accessible", cost: "0", url: "https://www.lipa.example/council",
			text: "Public meeting of the town council. The agenda is posted a week before."},
	}
}

func concerts() []event {
	return []event{
		{title: "Organ recital: Bach & Černohorský", day: 3, at: "19:00", minutes: 90, venue: "church", organizers: "town", cats: "classical", tags: "evening", cost: "150", image: "church", featured: true,
			text: "The organ of 1747 in its first season after the repair.\nIn the second half: improvisations on themes from the audience.", excerpt: "The restored organ, played by <em>Anna Hrubá</em>."},
		{title: "Brass on the square", day: 8, at: "15:00", minutes: 60, venue: "square", organizers: "town", cats: "music", tags: "outdoors free family", cost: "0", image: "square", text: "The miners’ brass band plays marches, polkas and one surprise."},
		{title: "Slavic voices – women’s choir", day: 11, at: "18:30", minutes: 80, venue: "church", organizers: "town", cats: "classical", tags: "evening tickets", cost: "200", text: "Songs from Moravia, Lusatia and Carpathian Ruthenia."},
		{title: "Blues from the barn", day: 17, at: "20:00", minutes: 180, venue: "culture", organizers: "jazz", cats: "jazz", tags: "evening tickets", cost: "250 150", image: "stage", text: "Three bands, one drum kit."},
		{title: "Young pianists: end-of-term concert", day: 26, at: "17:00", minutes: 90, venue: "culture", organizers: "town", cats: "classical", tags: "free family accessible", cost: "0", text: "Pupils of the school of music between seven and seventeen."},
		{title: "Rock under the chestnuts", day: 61, at: "18:00", minutes: 300, venue: "park", organizers: "jazz scouts", cats: "music", tags: "outdoors tickets", cost: "320", image: "stage", url: "https://rock.lipa.example/?from=calendar&lang=en", text: "Five bands between four trees. Rain or shine."},
		{title: "Summer festival “Lípa v květu”", day: 88, days: 4, at: "10:00", minutes: 720, venue: "park", organizers: "town jazz actors", cats: "culture music", tags: "outdoors tickets regional", cost: "490 790 1200", image: "poster", featured: true, sticky: true, url: "https://festival.lipa.example",
			text: "Four days, three stages, sixty artists.\nPrices are for one day, two days and all four. Children under twelve come in free.", excerpt: "Four days by the river."},
		{title: "String quartet: Dvořák, Janáček, Krása", day: -9, at: "19:30", minutes: 100, venue: "culture", organizers: "town", cats: "classical", tags: "evening", cost: "220", text: "Chamber music series, third evening."},
		{title: "New Year’s concert", day: 45, at: "17:00", minutes: 120, venue: "culture", organizers: "town", cats: "classical", tags: "tickets", cost: "350", image: "stage", text: "The regional philharmonic with a programme from Vienna to Prague."},
	}
}

func stageAndArt() []event {
	return []event{
		{title: "The Government Inspector", day: 5, at: "19:00", minutes: 150, venue: "theatre", organizers: "actors", cats: "theatre", tags: "premiere evening tickets", cost: "160 100", image: "theatre", featured: true, text: "Gogol’s comedy, moved to a spa town not far from here."},
		{title: "The Government Inspector – second night", day: 6, at: "19:00", minutes: 150, venue: "theatre", organizers: "actors", cats: "theatre", tags: "evening tickets", cost: "160 100", image: "theatre"},
		{title: "Puppets: The Water Sprite’s Teapot", day: 9, at: "10:00", minutes: 50, venue: "theatre", organizers: "actors", cats: "theatre children", tags: "family", cost: "60", text: "A fairy tale with marionettes from 1910. From four years."},
		{title: "Improv: audience against actors", day: 20, at: "20:00", minutes: 100, venue: "theatre", organizers: "actors", cats: "theatre", tags: "evening", cost: "120"},
		{title: "Glass & Light", day: -30, days: 75, venue: "gallery", organizers: "gallery", cats: "art", tags: "accessible", cost: "80 40", image: "gallery", featured: true, text: "Six studios from the glass valleys show work made for the mill’s three floors.\nOpen daily except Mondays."},
		{title: "Photographs of a vanished street", day: -12, days: 40, venue: "library", organizers: "library town", cats: "art", tags: "free", cost: "0", image: "library", text: "Long Street before 1974, collected by its last inhabitants."},
		{title: "Opening: Drawings by Markéta Šímová", day: 13, at: "18:00", minutes: 120, venue: "gallery", organizers: "gallery", cats: "art", tags: "free evening", cost: "0", image: "gallery"},
		{title: "Drawings by Markéta Šímová", day: 14, days: 60, venue: "gallery", organizers: "gallery", cats: "art", cost: "80 40", image: "gallery"},
		{title: "Gallery night in Zittau", day: 34, at: "19:00", minutes: 240, venue: "zittau", organizers: "gallery", cats: "art", tags: "german evening", cost: "5", text: "Eine Nacht, zwei Städte: der Bus fährt um 18:00 Uhr vom Marktplatz ab."},
		{title: "Author reading: Radka Procházková", day: 1, at: "18:00", minutes: 90, venue: "library", organizers: "library", cats: "books", tags: "free evening", cost: "0", text: "From the novel “Sedm zim”, with time for questions."},
		{title: "English book club", day: 15, at: "18:30", minutes: 90, venue: "library", organizers: "library", cats: "books", tags: "english free", cost: "0", text: "This month: short stories of your own choice."},
		{title: "Book swap", day: -3, at: "14:00", minutes: 180, venue: "library", organizers: "library", cats: "books markets", tags: "free family", cost: "0"},
	}
}
