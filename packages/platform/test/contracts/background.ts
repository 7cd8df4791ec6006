import assert from "node:assert/strict";
import type { Background, ReportFailure } from "../../src/background.ts";
import type { ContractCase } from "./contract.ts";

export interface BackgroundSubject {
	create(report: ReportFailure): Background;
	/** Waits until the work that was started has ended. */
	settle(): Promise<void>;
}

export const backgroundContract: readonly ContractCase<BackgroundSubject>[] = [
	{
		name: "work continues after run has returned",
		async run({ create, settle }) {
			let done = false;
			create(assert.fail).run("work", async () => {
				await new Promise((resolve) => setTimeout(resolve, 5));
				done = true;
			});
			assert.equal(done, false);
			await settle();
			assert.equal(done, true);
		},
	},
	{
		name: "a failure is reported with the work's name and does not propagate",
		async run({ create, settle }) {
			const reported: string[] = [];
			const background = create((name, error) => reported.push(`${name}: ${(error as Error).message}`));
			background.run("rejects", async () => {
				await null;
				throw new Error("later");
			});
			background.run("throws", () => {
				throw new Error("at once");
			});
			await settle();
			assert.deepEqual(reported.sort(), ["rejects: later", "throws: at once"]);
		},
	},
];
