import { SeededRecipes } from "@tripline/contract/recipes";
import type { Target } from "../../platforms.ts";
import type { Scenario, World } from "../../scenario.ts";

const done = new WeakSet<Target>();

/** Ensures that the bundled recipes exist: a single process seeds itself, other platforms need one call. */
async function seed({ anyone, target }: World): Promise<void> {
	if (done.has(target)) return;
	await anyone.expect(200, SeededRecipes, "POST", "/init/seed");
	done.add(target);
}

export const onSeeded = (scenario: Scenario): Scenario => ({
	...scenario,
	async run(world) {
		await seed(world);
		await scenario.run(world);
	},
});
