import assert from "node:assert/strict";
import { test } from "node:test";
import { buildBars, buildTicks, findScaleTop, type Hour, sumRuns } from "../../src/pages/overview/chart.ts";

const getUtcHour = (time: number) => new Date(time).getUTCHours();
const buildHours = (first: string, counts: readonly (readonly [success: number, failed: number])[]): Hour[] =>
	counts.map(([success, failed], nth) => ({
		hour: new Date(Date.parse(first) + nth * 3_600_000).toISOString(),
		success,
		failed,
	}));
const buildBarsOfHeight = (...heights: number[]) =>
	buildBars(
		buildHours(
			"2026-06-01T00:00:00Z",
			heights.map((height) => [height, 0]),
		),
		1,
	);

test("draws one bar per hour", () => {
	const [bar, ...rest] = buildBars(buildHours("2026-06-01T14:00:00Z", [[3, 1]]), 1, getUtcHour);
	assert.deepEqual(bar, {
		from: Date.parse("2026-06-01T14:00:00Z"),
		until: Date.parse("2026-06-01T15:00:00Z"),
		success: 3,
		failed: 1,
	});
	assert.deepEqual(rest, []);
});

test("groups hours at multiples of the bar's hours; the first bar may be shorter", () => {
	const five = buildHours("2026-06-01T02:00:00Z", [
		[1, 0],
		[1, 1],
		[1, 1],
		[1, 1],
		[1, 0],
	]);
	assert.deepEqual(
		buildBars(five, 3, getUtcHour).map(({ from, success, failed }) => [getUtcHour(from), success, failed]),
		[
			[2, 1, 0],
			[3, 3, 3],
			[6, 1, 0],
		],
	);
});

test("keeps the bar length when the time zone skips an hour", () => {
	const skipping = (time: number) => (getUtcHour(time) >= 3 ? getUtcHour(time) + 1 : getUtcHour(time));
	const bars = buildBars(
		buildHours(
			"2026-06-01T00:00:00Z",
			Array.from({ length: 9 }, () => [1, 0] as const),
		),
		3,
		skipping,
	);
	assert.ok(bars.every(({ from, until }) => until - from <= 3 * 3_600_000));
	assert.equal(
		bars.reduce((sum, { success }) => sum + success, 0),
		9,
	);
});

test("reports a success rate of 100% only if no run failed", () => {
	assert.equal(sumRuns(buildHours("2026-06-01T00:00:00Z", [[9999, 1]])).rate, 0.999);
	assert.equal(sumRuns(buildHours("2026-06-01T00:00:00Z", [[5, 0]])).rate, 1);
});

test("has no success rate without runs", () => {
	assert.deepEqual(sumRuns(buildHours("2026-06-01T00:00:00Z", [[0, 0]])), {
		runs: 0,
		success: 0,
		failed: 0,
		rate: null,
	});
});

for (const [highest, top] of [
	[0, 2],
	[1, 2],
	[3, 4],
	[7, 8],
	[11, 20],
	[216, 300],
	[534, 600],
	[999, 1000],
] as const)
	test(`scales a bar of ${highest} to ${top}`, () =>
		assert.equal(findScaleTop(buildBarsOfHeight(0, highest)), top));

test("marks every fourth hour of a day; half of the marks are minor", () => {
	const bars = buildBars(
		buildHours(
			"2026-06-01T03:00:00Z",
			Array.from({ length: 24 }, () => [0, 0] as const),
		),
		1,
		getUtcHour,
	);
	assert.deepEqual(
		buildTicks(bars, false, getUtcHour).map(({ at, isMinor }) => [getUtcHour(at), isMinor]),
		[
			[4, true],
			[8, false],
			[12, true],
			[16, false],
			[20, true],
			[0, false],
		],
	);
});

test("marks the start of each day of a week", () => {
	const bars = buildBars(
		buildHours(
			"2026-06-01T05:00:00Z",
			Array.from({ length: 168 }, () => [0, 0] as const),
		),
		3,
		getUtcHour,
	);
	assert.equal(buildTicks(bars, true, getUtcHour).length, 7);
});
