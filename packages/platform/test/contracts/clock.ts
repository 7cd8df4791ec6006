import assert from "node:assert/strict";
import { type Clock, unixSeconds } from "../../src/clock.ts";
import type { ContractCase } from "./contract.ts";

export const clockContract: readonly ContractCase<Clock>[] = [
	{
		name: "returns whole milliseconds since the epoch",
		async run(clock) {
			assert.equal(clock.now(), Math.floor(clock.now()));
			assert.ok(clock.now() > Date.UTC(2026, 0, 1));
		},
	},
	{
		name: "unix seconds are rounded down",
		async run() {
			assert.equal(unixSeconds({ now: () => 1_999 }), 1);
		},
	},
];
