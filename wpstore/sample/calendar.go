package sample

// calendar returns all events, without their texts. An event exists in each language that
// has words for its key.
func calendar() []event {
	return []event{
		// Weekly events.
		{key: "market", day: -24, on: saturday, every: 7, times: 10, at: "08:00", minutes: 240, venue: "square", organizers: "farmers", cats: "markets", tags: "outdoors regional free", cost: "0", image: "square"},
		{key: "story", day: -19, on: wednesday, every: 7, times: 8, at: "16:00", minutes: 60, venue: "library", organizers: "library", cats: "children books", tags: "free family accessible", cost: "0", image: "library"},
		{key: "jazz", day: -25, on: friday, every: 14, times: 7, at: "20:00", minutes: 150, venue: "culture", organizers: "jazz", cats: "jazz", tags: "evening tickets", cost: "180 120", image: "stage"},
		{key: "run", day: -16, on: saturday, every: 7, times: 8, at: "09:00", minutes: 75, venue: "park", organizers: "run", cats: "running", tags: "outdoors free", cost: "0", image: "river"},
		{key: "council", day: -40, on: monday, every: 28, times: 5, at: "17:00", minutes: 180, venue: "townhall", organizers: "town", cats: "town", tags: "free accessible", cost: "0", url: "https://www.lipa.example/council"},
		{key: "newcomers", day: -6, on: sunday, every: 28, times: 3, at: "10:00", minutes: 120, venue: "culture", organizers: "town", cats: "town", tags: "english free", cost: "0"},
		{key: "stammtisch", day: 4, on: thursday, every: 28, times: 3, at: "19:00", minutes: 150, venue: "zittau", organizers: "gallery", cats: "culture", tags: "german free evening", cost: "0"},

		// Concerts.
		{key: "organ", day: 3, on: sunday, at: "17:00", minutes: 90, venue: "church", organizers: "town", cats: "classical", tags: "evening", cost: "150", image: "church", featured: true},
		{key: "brass", day: 8, on: sunday, at: "15:00", minutes: 60, venue: "square", organizers: "town", cats: "music", tags: "outdoors free family", cost: "0", image: "square"},
		{key: "choir", day: 11, on: friday, at: "18:30", minutes: 80, venue: "church", organizers: "town", cats: "classical", tags: "evening tickets", cost: "200"},
		{key: "blues", day: 17, on: saturday, at: "20:00", minutes: 180, venue: "culture", organizers: "jazz", cats: "jazz", tags: "evening tickets", cost: "250 150", image: "stage"},
		{key: "pianists", date: "January 28", on: thursday, at: "17:00", minutes: 90, venue: "culture", organizers: "town", cats: "classical", tags: "free family accessible", cost: "0"},
		{key: "rock", date: "June 6", on: saturday, at: "18:00", minutes: 300, venue: "park", organizers: "jazz scouts", cats: "music", tags: "outdoors tickets", cost: "320", image: "stage", url: "https://rock.lipa.example/?from=calendar&lang=en"},
		{key: "festival", date: "July 11", on: thursday, days: 4, at: "10:00", minutes: 720, venue: "park", organizers: "town jazz actors", cats: "culture music", tags: "outdoors tickets regional", cost: "490 790 1200", image: "poster", featured: true, sticky: true, url: "https://festival.lipa.example"},
		{key: "quartet", day: -9, on: thursday, at: "19:30", minutes: 100, venue: "culture", organizers: "town", cats: "classical", tags: "evening", cost: "220"},
		{key: "newyear", date: "January 1", at: "17:00", minutes: 120, venue: "culture", organizers: "town", cats: "classical", tags: "tickets", cost: "350", image: "stage"},

		// Theatre, exhibitions, books.
		{key: "inspector", day: 5, on: friday, at: "19:00", minutes: 150, venue: "theatre", organizers: "actors", cats: "theatre", tags: "premiere evening tickets", cost: "160 100", image: "theatre", featured: true},
		{key: "inspector2", day: 6, on: saturday, at: "19:00", minutes: 150, venue: "theatre", organizers: "actors", cats: "theatre", tags: "evening tickets", cost: "160 100", image: "theatre"},
		{key: "puppets", day: 9, on: sunday, at: "10:00", minutes: 50, venue: "theatre", organizers: "actors", cats: "theatre children", tags: "family", cost: "60"},
		{key: "improv", day: 20, on: friday, at: "20:00", minutes: 100, venue: "theatre", organizers: "actors", cats: "theatre", tags: "evening", cost: "120"},
		{key: "glass", day: -30, days: 75, venue: "gallery", organizers: "gallery", cats: "art", tags: "accessible", cost: "80 40", image: "gallery", featured: true},
		{key: "photographs", day: -12, days: 40, venue: "library", organizers: "library town", cats: "art", tags: "free", cost: "0", image: "library"},
		{key: "opening", day: 13, on: thursday, at: "18:00", minutes: 120, venue: "gallery", organizers: "gallery", cats: "art", tags: "free evening", cost: "0", image: "gallery"},
		{key: "drawings", day: 14, on: friday, days: 60, venue: "gallery", organizers: "gallery", cats: "art", cost: "80 40", image: "gallery"},
		{key: "zittau", day: 34, on: saturday, at: "19:00", minutes: 240, venue: "zittau", organizers: "gallery", cats: "art", tags: "german evening", cost: "5"},
		{key: "reading", day: 1, on: wednesday, at: "18:00", minutes: 90, venue: "library", organizers: "library", cats: "books", tags: "free evening", cost: "0"},
		{key: "bookclub", day: 15, on: tuesday, at: "18:30", minutes: 90, venue: "library", organizers: "library", cats: "books", tags: "english free", cost: "0"},
		{key: "swap", day: -3, on: sunday, at: "14:00", minutes: 180, venue: "library", organizers: "library", cats: "books markets", tags: "free family", cost: "0"},

		// In the street and in the hall.
		{key: "advent", date: "November 28", on: friday, days: 3, at: "10:00", minutes: 540, venue: "square", organizers: "town farmers", cats: "markets", tags: "advent outdoors family regional", cost: "0", image: "square", featured: true},
		{key: "tree", date: "November 30", on: sunday, at: "17:00", minutes: 30, venue: "square", organizers: "town", cats: "town children", tags: "advent outdoors free family", cost: "0", image: "square", sticky: true},
		{key: "flea", day: 22, on: sunday, at: "07:00", minutes: 360, venue: "square", organizers: "town", cats: "markets", tags: "outdoors free", cost: "0"},
		{key: "potters", day: 75, on: saturday, days: 2, at: "09:00", minutes: 480, venue: "square", organizers: "farmers", cats: "markets", tags: "outdoors regional", cost: "0"},
		{key: "half", date: "April 25", on: saturday, at: "10:00", minutes: 240, venue: "park", organizers: "run town", cats: "running", tags: "outdoors tickets", cost: "450 600", image: "river", featured: true, url: "https://run.lipa.example/half"},
		{key: "orienteering", day: 19, on: friday, at: "20:30", minutes: 150, venue: "park", organizers: "scouts run", cats: "sport", tags: "outdoors", cost: "50"},
		{key: "volleyball", day: 4, on: saturday, at: "16:00", minutes: 120, venue: "hall", organizers: "town", cats: "sport", tags: "tickets", cost: "70"},
		{key: "tabletennis", day: 10, on: tuesday, at: "18:00", minutes: 120, venue: "hall", organizers: "town", cats: "sport", tags: "free", cost: "0"},
		{key: "swim", date: "December 26", at: "11:00", minutes: 60, venue: "park", organizers: "run", cats: "sport", tags: "outdoors free", cost: "0", image: "river"},
		{key: "skating", date: "December 12", on: saturday, days: 30, venue: "square", organizers: "town", cats: "sport children", tags: "outdoors family", cost: "40"},

		// Town hall and families.
		{key: "hearing", day: 7, on: thursday, at: "17:30", minutes: 120, venue: "townhall", organizers: "town", cats: "town", tags: "free accessible", cost: "0"},
		{key: "registry", day: 33, on: friday, venue: "townhall", organizers: "town", cats: "town"},
		{key: "blood", day: 16, on: wednesday, at: "07:00", minutes: 240, venue: "culture", organizers: "town", cats: "town", tags: "free", cost: "0"},
		{key: "fire", day: 36, on: saturday, at: "09:00", minutes: 420, organizers: "town", cats: "town children", tags: "free family outdoors", cost: "0"},
		{key: "lantern", date: "November 11", at: "17:00", minutes: 60, venue: "park", organizers: "scouts", cats: "children", tags: "free family outdoors", cost: "0"},
		{key: "games", day: 0, at: "13:00", minutes: 600, venue: "library", organizers: "library scouts", cats: "children", tags: "free family accessible", cost: "0"},
		{key: "birdhouse", day: 23, on: saturday, at: "14:00", minutes: 150, venue: "library", organizers: "scouts", cats: "children", tags: "workshop family", cost: "90"},
		{key: "carnival", date: "February 7", on: saturday, at: "14:00", minutes: 180, venue: "culture", organizers: "scouts town", cats: "children", tags: "family", cost: "50"},
		{key: "cleaning", date: "March 28", on: saturday, at: "09:00", minutes: 240, venue: "park", organizers: "scouts town", cats: "town", tags: "outdoors free family", cost: "0"},
		{key: "nicholas", date: "December 5", at: "16:30", minutes: 90, venue: "square", organizers: "scouts", cats: "children", tags: "free family outdoors", cost: "0"},
		{key: "firstaid", day: -20, on: saturday, at: "09:00", minutes: 360, venue: "hall", organizers: "town", cats: "town", tags: "workshop", cost: "300"},

		// Events that visitors do not see, or not everywhere.
		{key: "rehearsal", day: 4, on: thursday, at: "18:00", minutes: 150, venue: "theatre", organizers: "actors", cats: "theatre", hidden: true},
		{key: "reception", day: 18, on: tuesday, at: "18:00", minutes: 120, venue: "townhall", organizers: "town", cats: "town", password: "linden"},
		{key: "budget", day: 14, on: tuesday, at: "15:00", minutes: 90, venue: "townhall", organizers: "town", cats: "town", status: "private", author: editor},
		{key: "outing", day: 50, on: friday, venue: "park", organizers: "town", status: "private", author: editor},
		{key: "slam", day: 38, on: friday, at: "20:00", minutes: 120, venue: "theatre", organizers: "actors", cats: "books", status: "draft", author: author},
		{key: "film", date: "July 24", on: friday, at: "21:00", minutes: 120, venue: "park", organizers: "scouts", status: "draft", author: contributor},
		{key: "teachers", day: 30, on: thursday, at: "18:00", minutes: 90, venue: "culture", organizers: "town", cats: "music", status: "pending", author: contributor},
	}
}
