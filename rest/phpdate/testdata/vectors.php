<?php
// Writes vectors.txt: what PHP itself makes of every word and every limit of its date
// strings. Run: php vectors.php > vectors.txt
//
// The words are English, the abbreviations those that PHP lists, the limits those of
// PHP's manual on date formats. Each line has what was asked, the input and the answer.
date_default_timezone_set('UTC');
const BASE = 1773500966; // Saturday 2026-03-14 15:09:26 UTC

function ask(string ...$inputs): void {
	foreach ($inputs as $s) {
		$unix = strtotime($s, BASE);
		echo "time\t$s\t", $unix === false ? '' : $unix, "\n";
	}
}

$full = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
$roman = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];
foreach ([...$full, ...array_map(fn($m) => substr($m, 0, 3), $full), 'Sept'] as $m) {
	ask($m, "6 $m 2031", "$m 6th, 2031", "$m 2031", "2031 $m", "6/$m/2031:07:08:09 +0200", "$m-06-2031", "2031-$m-06", "$m 6 7:08", "$m 6 7pm", "{$m}q 2031");
}
foreach ($roman as $m) {
	ask($m, "6 $m 2031", '6 ' . strtolower($m) . ' 2031', "$m 2031", "$m-06-2031");
}
foreach (['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as $d) {
	foreach ([$d, $d . 's', substr($d, 0, 3)] as $w) {
		ask($w, "next $w", "last $w", "+2 $w", "third $w of may 2031", "last $w of may 2031", "$w next week", "2 $w ago", "{$w}q");
	}
}
foreach (['sec', 'second', 'min', 'minute', 'hour', 'day', 'week', 'fortnight', 'forthnight', 'month', 'year', 'msec', 'millisecond', 'µsec', 'usec', 'microsecond', 'weekday'] as $u) {
	ask("+5000000 $u"); // far enough to see microseconds
	ask("+3 $u", "-3 {$u}s", "next $u", "third {$u}s", "3 $u ago", "2 {$u}s ago", "+3 {$u}q");
}
ask('+5000000 ms', '+5000000 µs', 'next ms', 'third µs', 'weekday', 'weekdays');
foreach (['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eight', 'eighth', 'ninth', 'tenth', 'eleventh', 'twelfth', 'next', 'last', 'previous', 'this', 'thirteenth'] as $o) {
	ask("$o day", "$o week", "$o month", "$o friday", "$o friday of may 2031", "$o weekday");
}
foreach (['st', 'nd', 'rd', 'th', 'ST', 'xx'] as $s) {
	ask("6$s may 2031", "may 6$s 2031");
}
ask('yesterday', 'tomorrow', 'today', 'midnight', 'noon', 'now', 'Noon tomorrow', 'first day of', 'last day of', 'first day of next month', 'last day of next month');

// The limits of each number, on both sides.
foreach (['0', '00', '1', '12', '13', '23', '24', '25', '99'] as $h) {
	ask("$h:05", "$h:05:06", "t$h", "{$h}05", "$h am", "$h:05 pm", "$h:05:06 p.m.", "$h:05:06:5 am", "back of $h", "front of $h", "back of $h pm", "front of $h pm", "2031-05-06T$h:05:06", "may 6 $h:05", "may 6 $h:05 am");
}
foreach (['0', '9', '59', '60', '61'] as $n) {
	ask("7:$n", "7:08:$n", "07$n", "0708$n", "7:$n pm", "7:08:$n pm", "20310506T07$n" . '09', "2031-05-06T07:08:$n", "2031:05:06 07:08:$n", "7:08:09.$n", "07:08 +01:$n", "07:08 +01$n", "07:08 +0102$n");
}
foreach (['0', '00', '1', '01', '12', '13', '31', '32'] as $n) {
	ask("$n/6", "5/$n", "5/$n/2031", "2031-$n", "2031-$n-06", "2031-05-$n", "2031/$n/$n", "31-05-$n", "$n.$n.2031", "$n-05-2031", "$n.05.31", "may $n", "$n may", "may-$n-2031", "2031-may-$n", "2031{$n}06", "203105$n");
}
foreach (['000', '001', '126', '366', '367'] as $n) {
	ask("2031.$n", "2031-$n", "2031$n");
}
foreach (['00', '01', '19', '53', '54'] as $n) {
	ask("2031W$n", "2031-W$n", "2031-W$n-3", "2031W{$n}0", "2031-W$n-7", "2031-W$n-8");
}
foreach (['0', '5', '69', '70', '99', '100', '999', '1985', '0000', '9999'] as $y) {
	ask($y, "5/6/$y", "6 may $y", "$y-05-06", "6.5.$y", "may-06-$y", "$y-may-06", "may 6, $y");
}
ask('+12031-05-06', '-12031-05-06', '+123456-05-06', '-0044-03-15', '+2031-05-06', '2031/05/06/', '2031-05-06 2031-05-06', '7:08 7:09', '7:08 2031', '7:08 0709 0710');
ask('@0', '@-1', '@1.5', '@-1.5', '@1.', '@1.1234567', '@1000000000 +1 day', '5/6 @1000000000', '7:08 @5', '@5 7:08', '7:08 CET @5', '@5 @6', '@5 @6 @7', '@99999999999999999999');
ask('7:08 CET', '7:08 CET EST', '7:08 CET EST PST', '7:08 (CET)', '7:08 Europe/Prague', '7:08 (Europe/Prague)', '7:08 Mars/Phobos', '7:08 +1', '7:08 +01', '7:08 -0130', '7:08 GMT+2', '7:08 GMT-02:30', '7:08 +01:02:03', '7:08 America/Argentina/Buenos_Aires', '7:08 America/Port-au-Prince', 'Tue May 6 2031 07:08:09 GMT+0200 (CEST)');
ask('2031-05-06T07:08:09.5', '2031-05-06T07:08:09.123456789+02:00', '2031-05-06T07:08:09.5GMT-0230', '2031-05-06T07:08:09.5+020304', '2031-5-6T7:8:9', '20310506t070809', '20310506T07:08:09', '2031-05-06T07:08:09Z', '20310506070809', '6/May/2031:07:08:09 CET', '6/May/2031:07:08:09');
ask('', ' ', '.', ',', "\t", 'x', 'foo bar', '5', '31', 'may may', 'may 6 june 7', 'may 6 7:08 8:09', 'may 6 7:08 EST', 'may 6 7:08:09 EST', 'may 6 7.08.09', 'may 6 7:08:09 pm', 'may 6 7.08.09 pm', 'sat, 14 mar 2026', 'sat.14.mar.2026', '6 may 2031 noon', 'noon 6 may 2031', '7:08 noon', 'noon 7:08', 'tomorrow 7:08', '7:08 tomorrow', 'monday 7:08', '7:08 monday', 'yesterday noon', 'ago', '1 day 2 hours ago', '1 day ago 2 hours', '+-3 days', '--3 days', '+ 3 days', '+1 week 2 days', 'next month last day of', '+5 weekdays', '-5 weekdays', '+0 weekdays', 'sunday +3 weekdays', 'sunday -3 weekdays', '9999999999999 days', '99999999999999 days');

// One digit, one separator or one sign more, another separator, a letter instead.
ask('first  friday of may 2031', "first\tfriday of may 2031", 'firstqfriday of may 2031', 'first friday  of may 2031', 'next  week', 'nextqweek', 'third  day', 'thirdqday');
ask('7  pm', "7\tpm", '7qpm', '7:08  pm', '7:08qpm', '7q08', '7::08', '7.:08', '7.08', '7:08.09', '7.08:09 pm', '7:08..09');
ask('6may2031', '6--may--2031', '6 - may - 2031', "6\tmay\t2031", '6qmay2031', 'may6', 'may.6', 'may2031', '2031may', 'may-2031', '2031--may');
ask('001 am', '007:08 pm', '7:008', '7:008 pm', '7:08:009', '7:08:009 pm', '00708', 't00708', '0070809', '07008', '007:08', '007:08:09', 't007', '7:08:060', '7:060', '060', '024:00');
ask('005/6', '5/006', '5/6/02031', '5/6/12031', '2031-005-06', '2031-05-006', '2031/005/06', '2031/05/006', '031-05-06', '31-005-06', '31-05-006', '2031-005', '02031-05', '02031/05/06');
ask('2031-05-06T007:08:09', '2031-05-06T007:08:09.5', '2031-05-06T07:008:09.5', '2031-05-06T07:08:009.5', '2031:05:06 007:08:09', '2031:005:06 07:08:09');
ask('may 006', 'may 006 2031', '006 may', '6 may 02031', '6 may 12031', 'may 6, 02031', 'may 02031', '02031 may', '006.5.2031', '6.005.2031', '6.5.02031', '006.5.31', '6.005.31', '6.5.031');
ask('may-006-2031', 'may-06-02031', '2031-may-006', '02031-may-06', '2031-5-006', '2031-005-6', '02031-5-6', '2031.0126', '2031-0126', '20310126', '2031W019', '2031-W019', '2031W0193', '2031W1903', '2031-W19-03', '2031W19-3', '2031-W193', '2031w19', '203105006', '020310506');
ask('006/May/2031:07:08:09 +0200', '6/May/02031:07:08:09 +0200', '6/May/2031:007:08:09 +0200', '6/May/2031:07:008:09 +0200', '6/May/2031:07:08:009 +0200', '6/May/2031:07:08:09  +0200', '6/May/2031:07:08:09q+0200', '6/May/2031:07:08:09+0200', '6/May/2031:07:08:09 +02:03:04', '6/May/2031:07:08:09 +020304', '6/May/2031:07:08:09 +2');
ask('t7:08', 'T7:08:09', 't07:08:09.5', 't0708', 't070809', 'tq0708', 'tt0708', 't', 't7');
ask('7:08 GMTq2', '7:08 q2', '7:08 +-2', '7:08 GMT+-2', '2031-05-06T07:08:09.5q02:00', '2031-05-06T07:08:09.5+-02:00', '-+2031-05-06', '+-12031-05-06', 'q2031-05-06', '7:08 +002', '7:08 +1:002', '7:08 +01:02:003', '7:08 +0010203', '7:08 +010203', '7:08 gmt+2', '7:08 +2:3');
ask('may 6q2031', 'may 6,.2031', 'may 6stndrdth 2031', "may 6\t2031", 'may 6stq2031');
ask('7 qm', '7 aam', '7 pqm', '7 p..m.', '7 p.m.', '7 p.m', '7 pm.', '7 pq', '7 pmm', '7 p.m..', '7 p.mq', '7 pmq', '7 pm  2031-05-06', "7 pm\t2031-05-06", '7 Pm', '7 P.M.', '7 Am', '7 pm  3 days', '7 pm  @5', '7 pm2031-05-06');
ask('@q5', '@--5', '@1.5q', '@1.q', '@q1.5', '@--1.5', '@1.123456', '@-1.25', '@+5', '@ 5');
ask('front of  7', 'back of7', 'front of 007', 'back of 7:08');
ask('7:08:09:5am', '7:08:09:25pm', '7:08:09.5am', '7:08:09:am', '7:08:9:5am', '13:08:09:5am', '7:8:09:5am', '07:08:09:5am', '007:08:09:5am', '7:008:09:5am', '7:08:009:5am', '7:08:09::5am', '7:08:09q5am', '7:08:09:5 am');
ask('+0000000000000012031-05-06', '+00000000000000012031-05-06', '+1234-05-06', '+12031-005-06', '+12031-05-006');
ask('6q5.2031', '6..5.2031', '6.5q2031', '6.5..2031', '6-5-2031', '6.5-2031', '6-5.2031', "6\t5.2031", "6\t5-2031", '6q5.31', '6..5.31', "6\t5.31", '6.5-31', '6-5.31', '6.5q31');
ask('20310506T07:08:09.5', '20310506T7:08:09', '20310506T7:08:09.5', '20310506t70809', '20310506t070809.5', '20310506t70809.5', '20310506T07:08:09 CET EST', '20310506T07:08:09CET', '20310506T07.08.09', '20310506T07:08', '20310506t07:08:09', '20310506q070809', '20310506T007:08:09', '20310506T07:008:09', '20310506T07:08:009', '20310506T7:08:09 7:08', '20310506T24:08:09');
ask('2031-05-06T07:08:09.5+02:00 CET', '2031-05-06T07:08:09.5+02:03:04', '2031-05-06T07:08:09.5+02:03:04 CET EST', '2031-05-06T07:08:09.5+020304 CET EST', '2031-05-06T07:08:09.5+02:00 CET EST', '2031-05-06T07:08:09.5 CET EST', '2031-05-06T07:08:09.5+02:00 CET EST PST', '2031-05-06T07:08:09.5+020304 CET EST PST', '2031-05-06T07:08:09.5+02:03:04 CET EST PST', '2031-05-06T07:08:09.5-2', '2031-05-06T07:08:09.5+2:3', '2031-05-06t07:08:09.5', '2031-05-06T07.08.09.5', '2031-05-06T07:08:09:5', '2031-05-06q07:08:09.5');
ask('2031-05-06T7:08:09.5', '2031-5-6T7:8:9.5', '2031-5-6T7:8:9+02:00', '2031-5-6t7:8:9', '2031-005-6T7:8:9', '2031:05:06 07:08:09.5', '2031:05:06 7:08:09', '2031:5:06 07:08:09', '2031:05:06  07:08:09', '2031:05:06T07:08:09');
ask('2031q126', '2031..126', '2031--126', '2031qW19', '2031--W19', '2031W19q3', '2031W19--3', '2031--W19-3', '2031qW19-3', '2031.W19');
ask('+q3 days', '-+-3 days', '+3q days', '3  days', "3\tdays", '3days', '+12345678901234 days', "+\t3 days", ' 3 days', '-  3 days');
ask('7:08 ABCDEFG', '7:08 (CET', '7:08 CET)', '7:08 ((CET))', '7:08 !', '7:08 CET!', '2031-05-06!');

foreach (array_keys(timezone_abbreviations_list()) as $a) {
	echo "abbreviation\t$a\t", strtotime("2031-05-06 00:00:00 $a") === false ? '' : strtotime('2031-05-06 00:00:00 UTC') - strtotime("2031-05-06 00:00:00 $a"),
		"\t", date_create("2031-05-06 $a")->format('I'), "\n";
}
$ids = array_filter(DateTimeZone::listIdentifiers(DateTimeZone::ALL_WITH_BC), fn($id) => preg_match('/^[A-Z]/', $id));
foreach ($ids as $id) {
	echo "zone\t$id\n";
}
// The zone for an offset: PHP's guess, else the first abbreviation that had it as standard time.
for ($offset = -50400; $offset <= 50400; $offset++) {
	$name = timezone_name_from_abbr('', $offset, 0);
	foreach ($name === false ? timezone_abbreviations_list() : [] as $list) {
		foreach ($list as $entry) {
			if ($entry['offset'] === $offset && !$entry['dst'] && $entry['timezone_id'] !== null) {
				$name = $entry['timezone_id'];
				break 2;
			}
		}
	}
	if ($name !== false) {
		echo "offset\t$offset\t$name\n";
	}
}
// The first abbreviation in PHP's list that names a zone which ever has a number instead.
foreach ($ids as $id) {
	$numeric = preg_grep('/^[+-]/', array_column((new DateTimeZone($id))->getTransitions() ?: [], 'abbr'));
	foreach ($numeric ? timezone_abbreviations_list() : [] as $abbreviation => $list) {
		if (in_array($id, array_column($list, 'timezone_id'), true)) {
			echo "historic\t$id\t", strtoupper($abbreviation), "\n";
			break;
		}
	}
}
