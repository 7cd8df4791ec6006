import assert from "node:assert/strict";
import { test } from "node:test";
import {
	fromLocalTime,
	isFiltered,
	isOpenEnded,
	parseFilter,
	toExecutionFilter,
	toLocalTime,
} from "../../src/pages/executions/filter.ts";

const NOW = Date.parse("2026-06-01T12:00:00Z");
const filter = (query: string) => parseFilter(new URLSearchParams(query));

test("requests everything without a filter", () => {
	const none = filter("");
	assert.equal(isFiltered(none), false);
	assert.deepEqual(Object.values(toExecutionFilter(none, NOW)).filter(Boolean), []);
});

test("resolves a preset relative to the time of the request", () => {
	const asked = toExecutionFilter(filter("range=day"), NOW);
	assert.equal(asked.since, "2026-05-31T12:00:00.000Z");
	assert.equal(asked.until, undefined);
});

test("passes exact times unchanged", () => {
	const exact = filter("since=2026-05-01T00:00:00Z&until=2026-05-02T00:00:00Z");
	assert.equal(exact.range, "exact");
	const asked = toExecutionFilter(exact, NOW);
	assert.deepEqual([asked.since, asked.until], ["2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z"]);
});

test("prefers a preset over exact times", () => {
	assert.equal(
		toExecutionFilter(filter("range=hour&since=2020-01-01T00:00:00Z"), NOW).since,
		"2026-06-01T11:00:00.000Z",
	);
});

test("ignores invalid statuses, ranges and times in the address", () => {
	const odd = filter("verdict=maybe&range=constructor&since=yesterday");
	assert.deepEqual([odd.verdict, odd.range, odd.since], ["", "", ""]);
});

test("ignores a text of spaces", () => {
	assert.equal(toExecutionFilter(filter("q=%20%20"), NOW).q, undefined);
});

test("expects new runs only if the range ends in the future", () => {
	assert.equal(isOpenEnded(filter("range=week"), NOW), true);
	assert.equal(isOpenEnded(filter("until=2026-06-01T13:00:00Z"), NOW), true);
	assert.equal(isOpenEnded(filter("until=2026-06-01T11:00:00Z"), NOW), false);
});

test("converts a time to the user's time zone and back", () => {
	const iso = "2026-06-01T14:05:00.000Z";
	assert.equal(fromLocalTime(toLocalTime(iso)), iso);
	assert.equal(toLocalTime(""), "");
	assert.equal(fromLocalTime(""), "");
});
