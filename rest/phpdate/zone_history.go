package phpdate

import "strings"

// historicAbbreviations lists zones whose present abbreviation is a number
// ("-03"), by the first entry of PHP's list of abbreviations that names them.
var historicAbbreviations = byZone(map[string]string{
	"ADDT": "America/Pangnirtung",
	"ADT":  "America/Barbados",
	"AEDT": "Antarctica/Macquarie",
	"AEST": "Australia/LHI Australia/Lord_Howe",
	"AMT":  "America/Asuncion Europe/Amsterdam",
	"AST":  "America/Aruba America/Curacao America/Miquelon America/Santo_Domingo",
	"BMT":  "America/Bogota Asia/Baghdad Asia/Bangkok Asia/Jakarta Asia/Phnom_Penh Asia/Vientiane",
	"BST":  "America/La_Paz",
	"CAT":  "Africa/Windhoek",
	"CDDT": "America/Rankin_Inlet America/Resolute",
	"CDT":  "America/Belize America/Cambridge_Bay America/Iqaluit Asia/Macao Asia/Macau",
	"CEST": "Europe/Kaliningrad Europe/Minsk",
	"CHST": "Pacific/Guam Pacific/Saipan",
	"CMT": `America/Argentina/Buenos_Aires America/Argentina/Catamarca America/Argentina/ComodRivadavia
		America/Argentina/Cordoba America/Argentina/Jujuy America/Argentina/La_Rioja
		America/Argentina/Mendoza America/Argentina/Rio_Gallegos America/Argentina/Salta
		America/Argentina/San_Juan America/Argentina/San_Luis America/Argentina/Tucuman
		America/Argentina/Ushuaia America/Buenos_Aires America/Caracas America/Catamarca America/Cordoba
		America/Jujuy America/Mendoza America/Rosario`,
	"EAT":  "Africa/Asmera Africa/Dar_es_Salaam Africa/Kampala Africa/Mogadishu Africa/Nairobi",
	"EEST": "Asia/Amman Asia/Damascus Asia/Famagusta Asia/Istanbul Europe/Istanbul Europe/Moscow",
	"EMT":  "Chile/EasterIsland Pacific/Easter",
	"FMT":  "Atlantic/Madeira",
	"GMT": `Africa/Accra Africa/Bamako Africa/Banjul Africa/Bissau Africa/Conakry Africa/Dakar Africa/Freetown
		Africa/Nouakchott America/Danmarkshavn Atlantic/Reykjavik`,
	"HMT":  "Asia/Dacca Asia/Dhaka Atlantic/Azores",
	"IMT":  "Asia/Irkutsk",
	"IST":  "Asia/Calcutta Asia/Kolkata",
	"MDT":  "America/Inuvik",
	"MMT":  "America/Montevideo Asia/Colombo Asia/Makassar Asia/Ujung_Pandang Indian/Maldives",
	"NZDT": "Antarctica/McMurdo",
	"PKST": "Asia/Karachi",
	"PLMT": "Asia/Ho_Chi_Minh Asia/Saigon",
	"PMT":  "America/Paramaribo Asia/Pontianak Asia/Yekaterinburg",
	"QMT":  "America/Guayaquil",
	"RMT":  "Asia/Rangoon Asia/Yangon",
	"SMT": `America/Punta_Arenas America/Santiago Asia/Kuala_Lumpur Asia/Singapore Atlantic/Stanley
		Chile/Continental`,
	"SST":  "Pacific/Midway",
	"TBMT": "Asia/Tbilisi",
	"TMT":  "Asia/Tehran",
	"WAT":  "Africa/Lagos Africa/Niamey",
	"WEST": "Atlantic/Canary",
	"WIT":  "Asia/Jayapura",
})

func byZone(lists map[string]string) map[string]string {
	table := make(map[string]string, 128)
	for abbreviation, zones := range lists {
		for _, zone := range strings.Fields(zones) {
			table[zone] = abbreviation
		}
	}
	return table
}
