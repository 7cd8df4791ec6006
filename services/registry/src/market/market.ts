import type { Manifest } from "@tripline/contract/registry";
import { businessDays } from "./calendar/business-days.ts";
import { freeSlots } from "./calendar/free-slots.ts";
import { icalBuild } from "./calendar/ical-build.ts";
import { icalParse } from "./calendar/ical-parse.ts";
import { batchList } from "./lists/batch-list.ts";
import { fuzzyMatch } from "./lists/fuzzy-match.ts";
import { listChanges } from "./lists/list-changes.ts";
import { lookupJoin } from "./lists/lookup-join.ts";
import { rankByVector } from "./lists/rank-by-vector.ts";
import { statistics } from "./lists/statistics.ts";
import { deepl } from "./services/deepl.ts";
import { mastodon } from "./services/mastodon.ts";
import { matrix } from "./services/matrix.ts";
import { ntfy } from "./services/ntfy.ts";
import { todoist } from "./services/todoist.ts";
import { chunkText } from "./text/chunk-text.ts";
import { csvWrite } from "./text/csv-write.ts";
import { feedRead } from "./text/feed-read.ts";
import { feedWrite } from "./text/feed-write.ts";
import { findLinks } from "./text/find-links.ts";
import { jsonFromText } from "./text/json-from-text.ts";
import { markdownToHtml } from "./text/markdown-to-html.ts";
import { redactPersonalData } from "./text/redact-personal-data.ts";
import { slugify } from "./text/slugify.ts";
import { tableText } from "./text/table-text.ts";
import { textDiff } from "./text/text-diff.ts";
import { checkNumber } from "./values/check-number.ts";
import { flatten } from "./values/flatten.ts";
import { jsonDiff } from "./values/json-diff.ts";
import { jwtDecode } from "./values/jwt-decode.ts";
import { moneySplit } from "./values/money-split.ts";
import { urlEdit } from "./values/url-edit.ts";
import { versionCompare } from "./values/version-compare.ts";
import { exchangeRates } from "./web/exchange-rates.ts";
import { hackerNews } from "./web/hacker-news.ts";
import { publicHolidays } from "./web/public-holidays.ts";
import { weatherForecast } from "./web/weather-forecast.ts";
import { wikipediaSummary } from "./web/wikipedia-summary.ts";

/** The components that every registry has from the start. */
export const market: readonly Manifest[] = [
	businessDays,
	freeSlots,
	icalBuild,
	icalParse,
	batchList,
	fuzzyMatch,
	listChanges,
	lookupJoin,
	rankByVector,
	statistics,
	deepl,
	mastodon,
	matrix,
	ntfy,
	todoist,
	chunkText,
	csvWrite,
	feedRead,
	feedWrite,
	findLinks,
	jsonFromText,
	markdownToHtml,
	redactPersonalData,
	slugify,
	tableText,
	textDiff,
	checkNumber,
	flatten,
	jsonDiff,
	jwtDecode,
	moneySplit,
	urlEdit,
	versionCompare,
	exchangeRates,
	hackerNews,
	publicHolidays,
	weatherForecast,
	wikipediaSummary,
];
