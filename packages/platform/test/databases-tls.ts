import assert from "node:assert/strict";
import { rootCertificates } from "node:tls";
import { parseAllowedHosts } from "../src/addresses.ts";
import { nodeDatabases } from "../src/databases.node.ts";
import type { Database } from "../src/databases.ts";
import { TEST_CERTIFICATE } from "./tls-certificate.ts";

const JOB = {
	statements: [{ sql: "select 1", params: [] }],
	...{ isReadOnly: true, maxRows: 1, maxBytes: 1_000 },
};
const NAME = "service.example";

/** Checks whom a server with the test certificate is believed to be. */
export async function checkTls(plain: Database): Promise<void> {
	const databases = nodeDatabases({
		allow: parseAllowedHosts(`127.0.0.1,${NAME},other.example`),
		resolve: async () => [{ address: "127.0.0.1", family: 4 }],
	});
	let nth = 0;
	const run = (more: Partial<Database>) =>
		databases.run(
			{ ...plain, key: `tls-${nth++}`, usesTls: true, ...more },
			JOB,
			AbortSignal.timeout(10_000),
		);
	const refuses = (more: Partial<Database>, message: RegExp) =>
		assert.rejects(run(more), (error: Error) => {
			assert.match(error.message, message);
			return !error.message.includes(plain.password);
		});
	try {
		const trust = TEST_CERTIFICATE.cert;
		const [result] = await run({ hostname: NAME, trust });
		assert.deepEqual(result?.rows, [[1]]);
		await refuses({ hostname: NAME }, /certificate/);
		await refuses({ hostname: NAME, trust: rootCertificates[0] }, /certificate/);
		await refuses({ hostname: "other.example", trust }, /certificate/);
		await refuses({ hostname: "127.0.0.1", trust }, /certificate/);
		await refuses({ hostname: NAME, trust: "not a certificate" }, /./);
		const huge = { sql: "select repeat('x', 8000000)", params: [] };
		await assert.rejects(
			databases.run(
				{ ...plain, key: "tls-huge", usesTls: true, hostname: NAME, trust },
				{ ...JOB, statements: [huge] },
				AbortSignal.timeout(10_000),
			),
			/larger than a result may be/,
		);
	} finally {
		await databases.close();
	}
}
