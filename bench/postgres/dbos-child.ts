import { createRequire } from "node:module";
import { join } from "node:path";

interface Dbos {
	setConfig(config: object): void;
	launch(): Promise<void>;
	registerWorkflow<T>(work: (input: T) => Promise<void>, options: object): (input: T) => Promise<void>;
	runStep(work: () => Promise<unknown>, options: object): Promise<unknown>;
}

const { DATABASE_URL, DBOS_FOLDER = "" } = process.env;
const { DBOS } = createRequire(join(DBOS_FOLDER, "package.json"))("@dbos-inc/dbos-sdk") as { DBOS: Dbos };

const loop = DBOS.registerWorkflow(
	async (steps: number) => {
		for (let step = 0; step < steps; step++) await DBOS.runStep(async () => step, { name: "step" });
	},
	{ name: "loop" },
);
DBOS.setConfig({ name: "bench", systemDatabaseUrl: DATABASE_URL, logLevel: "error" });
await DBOS.launch();
process.send?.("done");
process.on("message", ({ runs, steps }: { runs: number; steps: number }) => {
	Promise.all(Array.from({ length: runs }, () => loop(steps))).then(
		() => process.send?.("done"),
		(error) => process.send?.(String(error)),
	);
});
