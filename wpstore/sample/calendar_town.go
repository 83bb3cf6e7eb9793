package sample

func streetAndSport() []event {
	return []event{
		{title: "Advent market", day: 12, days: 3, at: "10:00", minutes: 540, venue: "square", organizers: "town farmers", cats: "markets", tags: "advent outdoors family regional", cost: "0", image: "square", featured: true, text: "Forty stalls, a blacksmith, and carols at five each day."},
		{title: "Lighting of the Christmas tree", day: 12, at: "17:00", minutes: 30, venue: "square", organizers: "town", cats: "town children", tags: "advent outdoors free family", cost: "0", image: "square", sticky: true},
		{title: "Flea market under the arcades", day: 22, at: "07:00", minutes: 360, venue: "square", organizers: "town", cats: "markets", tags: "outdoors free", cost: "0"},
		{title: "Potters’ market", day: 75, days: 2, at: "09:00", minutes: 480, venue: "square", organizers: "farmers", cats: "markets", tags: "outdoors regional", cost: "0"},
		{title: "Ploučnice half marathon", day: 54, at: "10:00", minutes: 240, venue: "park", organizers: "run town", cats: "running", tags: "outdoors tickets", cost: "450 600", image: "river", featured: true, url: "https://run.lipa.example/half", text: "21.1 km on closed roads; ten kilometres and a children’s mile as well.\nThe higher price is for those who register on the day."},
		{title: "Night orienteering", day: 19, at: "20:30", minutes: 150, venue: "park", organizers: "scouts run", cats: "sport", tags: "outdoors", cost: "50"},
		{title: "Volleyball: Lípa – Děčín", day: 4, at: "16:00", minutes: 120, venue: "hall", organizers: "town", cats: "sport", tags: "tickets", cost: "70"},
		{title: "Table tennis for everybody", day: 10, at: "18:00", minutes: 120, venue: "hall", organizers: "town", cats: "sport", tags: "free", cost: "0"},
		{title: "Winter swim", day: 41, at: "11:00", minutes: 60, venue: "park", organizers: "run", cats: "sport", tags: "outdoors free", cost: "0", image: "river", text: "Two minutes in, two hours by the fire."},
		{title: "Skating on the square", day: 29, days: 30, venue: "square", organizers: "town", cats: "sport children", tags: "outdoors family", cost: "40"},
	}
}

func townAndFamily() []event {
	return []event{
		{title: "Public hearing: the new footbridge", day: 7, at: "17:30", minutes: 120, venue: "townhall", organizers: "town", cats: "town", tags: "free accessible", cost: "0", text: "Three designs, one river. The architects will be there."},
		{title: "Registry office closed", day: 33, venue: "townhall", organizers: "town", cats: "town"},
		{title: "Blood donation day", day: 16, at: "07:00", minutes: 240, venue: "culture", organizers: "town", cats: "town", tags: "free", cost: "0"},
		{title: "Open day at the fire station", day: 36, at: "09:00", minutes: 420, organizers: "town", cats: "town children", tags: "free family outdoors", cost: "0", text: "Climb the ladder, hold the hose, pet the dog."},
		{title: "Lantern walk", day: 2, at: "17:00", minutes: 60, venue: "park", organizers: "scouts", cats: "children", tags: "free family outdoors", cost: "0"},
		{title: "Board games afternoon", day: 0, at: "13:00", minutes: 600, venue: "library", organizers: "library scouts", cats: "children", tags: "free family accessible", cost: "0", text: "Two hundred games, and people who know the rules."},
		{title: "Workshop: build a birdhouse", day: 23, at: "14:00", minutes: 150, venue: "library", organizers: "scouts", cats: "children", tags: "workshop family", cost: "90"},
		{title: "Carnival for children", day: 68, at: "14:00", minutes: 180, venue: "culture", organizers: "scouts town", cats: "children", tags: "family", cost: "50"},
		{title: "Spring cleaning of the riverbank", day: 96, at: "09:00", minutes: 240, venue: "park", organizers: "scouts town", cats: "town", tags: "outdoors free family", cost: "0"},
		{title: "St Nicholas and his devils", day: -5, at: "16:30", minutes: 90, venue: "square", organizers: "scouts", cats: "children", tags: "free family outdoors", cost: "0"},
		{title: "First-aid course", day: -20, at: "09:00", minutes: 360, venue: "hall", organizers: "town", cats: "town", tags: "workshop", cost: "300"},
	}
}

// notForEverybody are events that visitors do not see, or not everywhere.
func notForEverybody() []event {
	return []event{
		{title: "Dress rehearsal", day: 4, at: "18:00", minutes: 150, venue: "theatre", organizers: "actors", cats: "theatre", hidden: true, text: "Open to friends; not in the lists."},
		{title: "Reception of the mayor", day: 18, at: "18:00", minutes: 120, venue: "townhall", organizers: "town", cats: "town", password: "linden", text: "For invited guests."},
		{title: "Budget committee", day: 14, at: "15:00", minutes: 90, venue: "townhall", organizers: "town", cats: "town", status: "private", author: editor},
		{title: "Staff outing", day: 50, venue: "park", organizers: "town", status: "private", author: editor},
		{title: "Poetry slam (date to be confirmed)", day: 38, at: "20:00", minutes: 120, venue: "theatre", organizers: "actors", cats: "books", status: "draft", author: author},
		{title: "Film night in the park", day: 90, at: "21:00", minutes: 120, venue: "park", organizers: "scouts", status: "draft", author: contributor},
		{title: "Concert of the singing teachers", day: 30, at: "18:00", minutes: 90, venue: "culture", organizers: "town", cats: "music", status: "pending", author: contributor},
	}
}
