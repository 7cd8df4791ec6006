import assert from "node:assert/strict";
import { join } from "node:path";
import { before, beforeEach, describe, test } from "node:test";
import { otherBundles, startAccount, type TestAccount } from "./account.ts";

/** Has all that others are bound to, and is never ready. */
const NEVER_READY = `import { WorkerEntrypoint } from "cloudflare:workers";
export class Runs extends WorkerEntrypoint {}
export class Internal extends WorkerEntrypoint {}
export default { fetch: () => new Response("", { status: 503 }), scheduled() {} };`;

describe("tripline update", () => {
	let account: TestAccount;
	/** What is deployed at last. */
	let mended: string;
	let state: ReturnType<TestAccount["standIn"]["state"]>;
	before(async () => {
		account = await startAccount();
		const { code, err } = await account.cli(["init"]);
		assert.equal(code, 0, err);
	});
	beforeEach(() => {
		state = account.standIn.state();
	});

	const named = (worker: string, of = account.standIn.state()) =>
		of.scripts.find(({ name }) => name === `tripline-${worker}`);

	/** Names of the workers that have another version, or other tags, than before. */
	const changed = () =>
		account.standIn
			.state()
			.scripts.filter(
				({ name, versions }) => versions !== state.scripts.find((each) => each.name === name)?.versions,
			)
			.map(({ name }) => name);

	test("with nothing changed deploys nothing", async () => {
		const { code, out } = await account.cli(["update"]);
		assert.equal(code, 0);
		assert.match(out, /4 unchanged/);
		assert.deepEqual(account.standIn.state(), state);
	});

	test("deploys only what has changed, and leaves its secrets", async () => {
		const TRIPLINE_BUNDLES = await otherBundles("registry", (script) => `${script}\n// another\n`);
		const { code, out, err } = await account.cli(["update"], { TRIPLINE_BUNDLES });
		assert.equal(code, 0, err + out);
		assert.match(out, /3 unchanged, 1 deployed/);
		assert.deepEqual(changed(), ["tripline-registry"]);
		assert.deepEqual(named("registry")?.secrets, named("registry", state)?.secrets);
		await account.cli(["update"]);
	});

	test("one that fails is named with the provider's message, the others are deployed, and again resumes", async () => {
		const TRIPLINE_BUNDLES = await otherBundles("registry", (script) => `${script}\n// failing\n`);
		account.standIn.fail({
			method: "PUT",
			path: /scripts\/tripline-registry$/,
			status: 400,
			code: 10027,
			message: "too large",
		});
		const first = await account.cli(["update", "--force"], { TRIPLINE_BUNDLES });
		assert.equal(first.code, 1);
		assert.match(first.out, /3 deployed, 1 failed/);
		assert.match(
			first.out,
			/tripline-registry: Cloudflare refused .*too large \(code 10027\)\n.*tripline update/,
		);
		assert.deepEqual(changed().sort(), ["tripline-executor", "tripline-mcp", "tripline-store"]);
		const again = await account.cli(["update"], { TRIPLINE_BUNDLES });
		assert.equal(again.code, 0, again.out);
		assert.match(again.out, /3 unchanged, 1 deployed/);
	});

	test("one that throws while it starts is refused, and the one before serves", async () => {
		const TRIPLINE_BUNDLES = await otherBundles("registry", (script) => `throw new Error("boom");${script}`);
		const { code, out } = await account.cli(["update"], { TRIPLINE_BUNDLES });
		assert.equal(code, 1);
		assert.match(out, /tripline-registry: .*boom.*code 10021/);
		assert.match(out, /does not start.*still serves/);
		assert.deepEqual(account.standIn.state(), state);
	});

	test("one that is not healthy goes back to its previous version, and is deployed again once mended", async () => {
		const TRIPLINE_BUNDLES = await otherBundles("executor", () => NEVER_READY);
		const { code, out, err } = await account.cli(["update"], { TRIPLINE_BUNDLES });
		assert.equal(code, 1, err);
		assert.match(out, /tripline-executor: the new version is not healthy: .*readyz answers 503/);
		assert.match(out, /1 rolled back/);
		const now = named("executor");
		assert.equal(now?.servingVersion, named("executor", state)?.servingVersion);
		assert.deepEqual(now?.tags, named("executor", state)?.tags);
		mended = await otherBundles("executor", (script) => `${script}\n// mended\n`);
		const again = await account.cli(["update"], { TRIPLINE_BUNDLES: mended });
		assert.equal(again.code, 0, again.out);
		assert.notEqual(named("executor")?.servingVersion, named("executor", state)?.servingVersion);
		assert.deepEqual(named("executor")?.secrets, named("executor", state)?.secrets);
	});

	test("init on another machine takes no secret from the workers and sets none", async () => {
		const { code, err } = await account.cli(["init"], {
			XDG_CONFIG_HOME: join(account.home, "elsewhere"),
			TRIPLINE_BUNDLES: mended,
		});
		assert.equal(code, 0, err);
		assert.match(err, /not seeded: set SERVICE_ACCESS_TOKEN/);
		assert.deepEqual(account.standIn.state(), state);
	});

	test("a deployment that there is not is not made", async () => {
		const { code, err } = await account.cli(["update", "--name", "staging"]);
		assert.equal(code, 1);
		assert.match(err, /no deployment staging\n.*tripline init/);
		assert.deepEqual(account.standIn.state(), state);
	});
});
