package phpdate

import (
	"slices"
	"strings"
)

// abbreviations gives the seconds east of UTC of every zone abbreviation that PHP
// knows, daylight saving included. They are fixed: "CET" has no summer. "UTC" is
// an identifier. One letter is a military zone.
var abbreviations = map[string]int{
	"a": 3600, "acdt": 37800, "acst": 34200, "addt": -7200, "adt": -10800, "aedt": 39600, "aest": 36000,
	"ahdt": -32400, "ahst": -36000, "akdt": -28800, "akst": -32400, "amt": -13840, "apt": -10800,
	"ast": -14400, "awdt": 32400, "awst": 28800, "awt": -10800, "b": 7200, "bdst": 7200, "bdt": -36000,
	"bmt": -14309, "bst": 3600, "c": 10800, "cast": 34200, "cat": 7200, "cddt": -14400, "cdt": -18000,
	"cemt": 10800, "cest": 7200, "cet": 3600, "chst": 36000, "cmt": -15408, "cpt": -18000, "cst": -21600,
	"cwt": -18000, "d": 14400, "dmt": -1521, "e": 18000, "eat": 10800, "eddt": -10800, "edt": -14400,
	"eest": 10800, "eet": 7200, "emt": -26248, "ept": -14400, "est": -18000, "ewt": -14400, "f": 21600,
	"ffmt": -14660, "fmt": -4056, "g": 25200, "gdt": 39600, "gmt": 0, "gst": 36000, "h": 28800,
	"hdt": -34200, "hkst": 32400, "hkt": 28800, "hmt": -19776, "hpt": -34200, "hst": -36000, "hwt": -34200,
	"i": 32400, "iddt": 14400, "idt": 10800, "imt": 25025, "ist": 7200, "jdt": 36000, "jmt": 8440,
	"jst": 32400, "k": 36000, "kdt": 36000, "kmt": 5736, "kst": 30600, "l": 39600, "lst": 9394, "m": 43200,
	"mddt": -18000, "mdst": 16279, "mdt": -21600, "mest": 7200, "met": 3600, "mmt": 9017, "mpt": -21600,
	"msd": 14400, "msk": 10800, "mst": -25200, "mwt": -21600, "n": -3600, "nddt": -5400, "ndt": -9052,
	"npt": -9000, "nst": -12600, "nwt": -9000, "nzdt": 46800, "nzmt": 41400, "nzst": 43200, "o": -7200,
	"p": -10800, "pddt": -21600, "pdt": -25200, "pkst": 21600, "pkt": 18000, "plmt": 25590, "pmt": -13236,
	"ppmt": -17340, "ppt": -25200, "pst": -28800, "pwt": -25200, "q": -14400, "qmt": -18840, "r": -18000,
	"rmt": 5794, "s": -21600, "sast": 7200, "sdmt": -16800, "sjmt": -20173, "smt": -13884, "sst": -39600,
	"t": -25200, "tbmt": 10751, "tmt": 12344, "u": -28800, "uct": 0, "v": -32400, "w": -36000,
	"wast": 7200, "wat": 3600, "wemt": 7200, "west": 3600, "wet": 0, "wib": 25200, "wit": 32400,
	"wita": 28800, "wmt": 5040, "x": -39600, "y": -43200, "yddt": -25200, "ydt": -28800, "ypt": -28800,
	"yst": -32400, "ywt": -28800, "z": 0,
}

// summerAbbreviations are those that stand for daylight saving time.
var summerAbbreviations = strings.Fields("ACDT ADDT ADT AEDT AHDT AKDT APT AWDT AWT BDST BDT BST CDDT CDT CEMT CEST CPT CWT EDDT EDT EEST EPT " +
	"EWT GDT HDT HKST HPT HWT IDDT IDT JDT KDT LST MDDT MDST MDT MEST MPT MSD MWT NDDT NDT NPT NWT NZDT " +
	"PDDT PDT PKST PPT PWT WAST WEMT WEST YDDT YDT YPT YWT")

func isSummerAbbreviation(name string) bool { return slices.Contains(summerAbbreviations, name) }

// zonesByOffset gives the named zone that PHP guesses for an offset in seconds:
// its short list of usual zones first, then the first zone in its list of
// abbreviations that has ever had this offset as standard time. All other
// offsets count as UTC.
var zonesByOffset = map[int]string{
	-39600: "Pacific/Apia", -37800: "Pacific/Honolulu", -36000: "Pacific/Honolulu",
	-32400: "America/Anchorage", -28800: "America/Los_Angeles", -26248: "Chile/EasterIsland",
	-25200: "America/Denver", -21600: "America/Chicago", -20712: "America/Managua",
	-20173: "America/Costa_Rica", -19776: "America/Havana", -19176: "America/Cayman",
	-18840: "America/Guayaquil", -18430: "America/Grand_Turk", -18000: "America/New_York",
	-17776: "America/Bogota", -17340: "America/Port-au-Prince", -16966: "America/Punta_Arenas",
	-16800: "America/Santo_Domingo", -16356: "America/La_Paz", -16200: "America/Caracas",
	-16060: "America/Caracas", -15408: "America/Argentina/Buenos_Aires", -14660: "America/Martinique",
	-14400: "America/Halifax", -14309: "America/Barbados", -13884: "Atlantic/Stanley",
	-13840: "America/Asuncion", -13491: "America/Montevideo", -13252: "America/Paramaribo",
	-13236: "America/Paramaribo", -12652: "America/St_Johns", -12600: "America/St_Johns",
	-10800: "America/Sao_Paulo", -6872: "Atlantic/Azores", -4056: "Atlantic/Madeira",
	-3600: "Atlantic/Azores", -2670: "Africa/Monrovia", -2588: "Africa/Monrovia", -1521: "Europe/Dublin",
	0: "Europe/London", 561: "Africa/Algiers", 1172: "Europe/Amsterdam", 3600: "Europe/Paris",
	5040: "Europe/Vilnius", 5400: "Africa/Johannesburg", 5692: "Europe/Athens", 5736: "Europe/Vilnius",
	5794: "Europe/Riga", 5940: "Europe/Tallinn", 5989: "Europe/Helsinki", 6264: "Europe/Tiraspol",
	6600: "Europe/Minsk", 6900: "Europe/Chisinau", 7016: "Asia/Istanbul", 7200: "Europe/Helsinki",
	7324: "Europe/Kiev", 8160: "Europe/Simferopol", 8440: "Asia/Jerusalem", 9017: "Europe/Moscow",
	9079: "Europe/Moscow", 10656: "Asia/Baghdad", 10751: "Asia/Tbilisi", 10800: "Europe/Moscow",
	12344: "Asia/Tehran", 13505: "Asia/Yekaterinburg", 14400: "Asia/Dubai", 17640: "Indian/Maldives",
	18000: "Asia/Karachi", 19172: "Asia/Colombo", 19270: "Asia/Calcutta", 19800: "Asia/Kolkata",
	20700: "Asia/Katmandu", 21200: "Asia/Dacca", 23087: "Asia/Rangoon", 24124: "Asia/Bangkok",
	24925: "Asia/Kuala_Lumpur", 25025: "Asia/Irkutsk", 25200: "Asia/Krasnoyarsk",
	25590: "Asia/Ho_Chi_Minh", 25632: "Asia/Jakarta", 26240: "Asia/Pontianak", 28656: "Asia/Makassar",
	28800: "Asia/Shanghai", 30600: "Asia/Hong_Kong", 32400: "Asia/Tokyo", 34200: "Australia/Adelaide",
	36000: "Australia/Melbourne", 41400: "Pacific/Auckland", 43200: "Pacific/Auckland",
}
