import { workersBackground } from "../../src/background.workers.ts";
import { type Bucket, bucketBlobs } from "../../src/blobs.bucket.ts";
import { workersCipher } from "../../src/cipher.workers.ts";
import { systemClock } from "../../src/clock.ts";
import { executorMigrations } from "../../src/executor-database.ts";
import { sqlJournal } from "../../src/journal.sql.ts";
import { sqlKeptRuns } from "../../src/kept.sql.ts";
import { type KvNamespace, workersKv } from "../../src/kv.workers.ts";
import { migrate } from "../../src/migrations.ts";
import { type D1, d1Sql } from "../../src/sql.d1.ts";
import { backgroundContract } from "./background.ts";
import { blobsContract } from "./blobs.ts";
import { cipherContract } from "./cipher.ts";
import { clockContract } from "./clock.ts";
import { type ContractCase, manualClock } from "./contract.ts";
import { journalContract } from "./journal.ts";
import { journalLimitContract } from "./journal-limit.ts";
import { keptContract } from "./kept.ts";
import { kvContract } from "./kv.ts";
import { sqlContract } from "./sql.ts";

type Env = Readonly<Record<string, unknown>>;

/**
 * Runs one case inside workerd: `/sql/3` is the fourth case of the sql contract.
 * @public
 */
export default {
	async fetch(request: Request, env: Env): Promise<Response> {
		const [, port, index] = new URL(request.url).pathname.split("/");
		try {
			if (port === "after-response") return await afterResponse(env, index === "read");
			await runCase(port ?? "", Number(index), env);
			return new Response("ok");
		} catch (error) {
			return new Response((error as Error).stack ?? String(error), { status: 500 });
		}
	},
};

async function runCase(port: string, index: number, env: Env): Promise<void> {
	const at = <Subject>(cases: readonly ContractCase<Subject>[]) => cases[index] as ContractCase<Subject>;
	switch (port) {
		case "sql":
			return at(sqlContract).run(d1Sql(env[`SQL_${index}`] as D1));
		case "kv": {
			const clock = manualClock(Date.now());
			return at(kvContract).run({
				kv: workersKv({ namespace: env[`KV_${index}`] as KvNamespace, clock }),
				clock,
			});
		}
		case "blobs":
			return at(blobsContract).run(bucketBlobs(env[`BLOBS_${index}`] as Bucket));
		case "journal": {
			const sql = d1Sql(env[`JOURNAL_${index}`] as D1);
			await migrate(sql, executorMigrations);
			return at(journalContract).run(sqlJournal(sql));
		}
		case "journal-limit": {
			const sql = d1Sql(env[`LIMIT_${index}`] as D1);
			await migrate(sql, executorMigrations);
			return at(journalLimitContract).run(sql);
		}
		case "cipher":
			return at(cipherContract).run(workersCipher);
		case "kept": {
			const sql = d1Sql(env[`KEPT_${index}`] as D1);
			const clock = manualClock();
			await migrate(sql, executorMigrations);
			return at(keptContract).run({ kept: sqlKeptRuns({ sql, clock }), clock });
		}
		case "clock":
			return at(clockContract).run(systemClock);
		case "background":
			return at(backgroundContract).run({
				create: workersBackground,
				settle: () => new Promise((resolve) => setTimeout(resolve, 50)),
			});
		default:
			throw new Error(`no port ${port}`);
	}
}

/** Answers first; the work writes its key afterwards. */
async function afterResponse(env: Env, read: boolean): Promise<Response> {
	const kv = workersKv({ namespace: env.KV_0 as KvNamespace, clock: systemClock });
	if (read) return new Response(await kv.get("after-response"));
	workersBackground(() => {}).run("after response", async () => {
		await new Promise((resolve) => setTimeout(resolve, 50));
		await kv.put("after-response", "written");
	});
	return new Response("answered");
}
