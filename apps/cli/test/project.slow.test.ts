import assert from "node:assert/strict";
import {
	chownSync,
	existsSync,
	lchownSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createTemporaryFolder, start } from "./process.ts";
import { startWithoutService } from "./world.ts";

const { cli, place } = startWithoutService();
const env = { SERVICE_BASE_URL: undefined, SERVICE_MCP_URL: undefined, SERVICE_REGISTRY_URL: undefined };
const json = (value: unknown) => JSON.stringify(value);

/** Creates files in the folders above an empty working folder. */
function createNested(files: Readonly<Record<string, string>>, workingFolder = "one/two") {
	const { cwd: root, home } = place();
	mkdirSync(join(root, workingFolder), { recursive: true });
	for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content);
	return { root, at: { cwd: join(root, workingFolder), home }, env };
}

const readWhere = async (name: string, calling: Parameters<typeof cli>[1]) => {
	const { value, from } = (await cli(["config", "get", name, "--json"], calling)).json as {
		value: string;
		from: string | null;
	};
	return { value, from };
};

describe("from a folder two levels down", () => {
	test("settings come from the project's tripline.json and .env, and --where shows their paths", async () => {
		const { root, ...calling } = createNested({
			"tripline.json": json({ mcp_url: "https://project.example" }),
			".env": "NAMESPACE=team\n",
		});
		const { out } = await cli(["config", "--where"], calling);
		assert.ok(out.includes(` ${join(root, "tripline.json")}\n`), out);
		assert.ok(out.includes(` NAMESPACE in ${join(root, ".env")}\n`), out);
		assert.match(out, /^mcp_url +https:\/\/project\.example +project /m);
	});

	test("config set and unset write the project's file", async () => {
		const { root, at } = createNested({ "tripline.json": "{}" });
		const { out } = await cli(["config", "set", "namespace", "team"], { at, env });
		assert.equal(out, `namespace is now team in ${join(root, "tripline.json")}\n`);
		assert.deepEqual(JSON.parse(readFileSync(join(root, "tripline.json"), "utf8")), { namespace: "team" });
		await cli(["config", "unset", "namespace"], { at, env });
		assert.equal(readFileSync(join(root, "tripline.json"), "utf8"), "{}\n");
		assert.deepEqual(readdirSync(at.cwd), []);
	});

	test("mcp-setup writes .mcp.json in the project's folder, and says where to open the assistant", async () => {
		const { root, at } = createNested({ "tripline.json": json({ mcp_url: "https://project.example" }) });
		const { out } = await cli(["mcp-setup"], { at, env });
		const { mcpServers } = JSON.parse(readFileSync(join(root, ".mcp.json"), "utf8"));
		assert.equal(mcpServers.tripline.url, "https://project.example/mcp");
		assert.match(out, /^wrote \.\.\/\.\.\/\.mcp\.json: /);
		assert.ok(out.includes(`open your assistant in ${root}, and log in`), out);
		assert.deepEqual(readdirSync(at.cwd), []);
	});

	test("a malformed .mcp.json is named by its path relative to the working folder", async () => {
		const { at } = createNested({ "tripline.json": "{}", ".mcp.json": "{ broken" });
		assert.match(
			(await cli(["mcp-setup"], { at, env })).err,
			/^tripline: \.\.\/\.\.\/\.mcp\.json is not a JSON/,
		);
	});

	test("paths on the command line are relative to the working folder", async () => {
		const { at } = createNested({ "tripline.json": "{}", "greet.yaml": "name: greet\n" });
		assert.match((await cli(["push", "greet.yaml"], { at, env })).err, /greet\.yaml does not exist/);
		const { err } = await cli(["creds", "push"], { at, env });
		assert.match(err, /there is no file credentials\.yaml/);
	});

	test("init makes the working folder a project, and does not change the one above", async () => {
		const { root, at } = createNested({ "tripline.json": json({ namespace: "team" }) });
		await cli(["init"], { at, env });
		assert.ok(existsSync(join(at.cwd, "tripline.json")));
		assert.equal(readFileSync(join(root, "tripline.json"), "utf8"), json({ namespace: "team" }));
	});

	test("serve runs in the project's folder, with its .env", async (context) => {
		const root = createTemporaryFolder(context);
		const cwd = join(root, "one", "two");
		mkdirSync(cwd, { recursive: true });
		writeFileSync(join(root, ".env"), "PORT=0\nSTORE_PORT=0\n");
		const running = start(context, ["serve"], { cwd, env: { HOME: createTemporaryFolder(context) } });
		await running.waitForText("Try it:");
		running.child.kill("SIGTERM");
		assert.equal((await running.waitForExit()).code, 0, running.stderr());
		assert.ok(existsSync(join(root, "data")));
		assert.ok(running.stderr().startsWith(`running in the project's folder, ${root}\n`), running.stderr());
		assert.deepEqual(readdirSync(cwd), []);
	});
});

describe("which folder is the project", () => {
	test("the working folder, if there is none", async () => {
		const { root, at } = createNested({ "other.json": "{}" });
		await cli(["config", "set", "namespace", "team"], { at, env });
		await cli(["mcp-setup"], { at, env });
		assert.deepEqual(readdirSync(at.cwd).sort(), [".mcp.json", "tripline.json"]);
		assert.deepEqual(readdirSync(root).sort(), ["one", "other.json"]);
	});

	test("the nearest of several", async () => {
		const { root, ...calling } = createNested({
			"tripline.json": json({ namespace: "outer", mcp_url: "https://outer.example" }),
			"one/tripline.json": json({ namespace: "inner" }),
		});
		assert.deepEqual(await readWhere("namespace", calling), {
			value: "inner",
			from: join(root, "one/tripline.json"),
		});
		assert.deepEqual(await readWhere("mcp_url", calling), { value: "http://127.0.0.1:8484", from: null });
	});

	test("the nearest with a tripline.json, ignoring a nearer .env", async () => {
		const { root, ...calling } = createNested({
			"tripline.json": json({ mcp_url: "https://project.example" }),
			"one/two/.env": "NAMESPACE=of-something-else\n",
		});
		assert.deepEqual(await readWhere("mcp_url", calling), {
			value: "https://project.example",
			from: join(root, "tripline.json"),
		});
		assert.deepEqual(await readWhere("namespace", calling), { value: "default", from: null });
	});

	test("without a tripline.json, the nearest with an .env", async () => {
		const { root, ...calling } = createNested({
			".env": "NAMESPACE=outer\n",
			"one/.env": "NAMESPACE=inner\n",
		});
		assert.deepEqual(await readWhere("namespace", calling), {
			value: "inner",
			from: `NAMESPACE in ${join(root, "one/.env")}`,
		});
	});

	test("a folder with that name does not count", async () => {
		const { root, at } = createNested({ "tripline.json": json({ namespace: "team" }) });
		mkdirSync(join(root, "one/tripline.json"));
		mkdirSync(join(root, "one/.env"));
		assert.equal((await readWhere("namespace", { at, env })).value, "team");
	});

	for (const [title, home] of [
		["not the home folder, and none above it", ""],
		["not the home folder behind a link either", "link"],
	] as const)
		test(title, async () => {
			const { root, at } = createNested(
				{ ".env": "NAMESPACE=above\n", "user/.env": "NAMESPACE=at-home\n" },
				"user/work/two",
			);
			symlinkSync(join(root, "user"), join(root, "link"));
			const inHome = { cwd: at.cwd, home: join(root, home || "user") };
			assert.equal((await readWhere("namespace", { at: inHome, env })).value, "default");
		});

	test("the home folder, if it is the working folder", async () => {
		const { root } = createNested({ "tripline.json": json({ namespace: "at-home" }) });
		assert.equal((await readWhere("namespace", { at: { cwd: root, home: root }, env })).value, "at-home");
	});

	test("not the folder of the global file", async () => {
		const { home } = place();
		const folder = join(home, ".config/tripline/deployments");
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(home, ".config/tripline/config.json"), json({ namespace: "mine" }));
		const at = { cwd: folder, home };
		const said = (await cli(["config", "get", "namespace", "--json"], { at, env })).json;
		assert.equal((said as { layer: string }).layer, "global");
		await cli(["config", "set", "namespace", "team"], { at, env });
		assert.deepEqual(readdirSync(folder), ["tripline.json"]);
	});
});

describe("a file of another user", () => {
	/** Neither the user nor root; the tests may run as root. */
	const STRANGER = 54321;
	const isRoot = process.getuid?.() === 0;
	const giveAway = (path: string) => {
		if (isRoot) lchownSync(path, STRANGER, STRANGER);
	};
	/** The user of the command, who does not own the files given away. */
	const uid = isRoot ? 0 : STRANGER;

	for (const file of ["tripline.json", ".env"])
		test(`is ignored above the working folder, and reported: ${file}`, async () => {
			const { root, at } = createNested({
				".env": "NAMESPACE=evil\n",
				"tripline.json": json({ namespace: "evil" }),
			});
			giveAway(join(root, file));
			const { out, err } = await cli(["config", "get", "namespace"], { at, env, uid });
			assert.equal(out, "default\n");
			const named = isRoot ? join(root, file) : join(root, "tripline.json");
			assert.equal(err, `${named} is not used: it belongs to another user\n`);
		});

	test("is reported once, and not on stdout", async () => {
		const { root, at } = createNested({ ".env": "NAMESPACE=evil\n" });
		giveAway(join(root, ".env"));
		const { err, json: said } = await cli(["config", "--json"], { at, env, uid });
		assert.equal(err.match(/is not used/g)?.length, 1);
		assert.equal((said as { namespace: { layer: string } }).namespace.layer, "default");
	});

	test("is not reported if a nearer project is used", async () => {
		const { root, at } = createNested({ ".env": "NAMESPACE=evil\n", "one/two/tripline.json": "{}" });
		giveAway(join(root, ".env"));
		assert.equal((await cli(["config", "get", "namespace"], { at, env, uid })).err, "");
	});

	test("does not hide the user's own project further up", {
		skip: !isRoot && "only root can give files away",
	}, async () => {
		const { root, at } = createNested({
			"tripline.json": json({ namespace: "team" }),
			"one/tripline.json": json({ namespace: "evil" }),
		});
		giveAway(join(root, "one/tripline.json"));
		assert.equal((await readWhere("namespace", { at, env, uid })).value, "team");
	});

	test("cannot link to a file of the user", {
		skip: !isRoot && "only root can give files away",
	}, async () => {
		const { root, at } = createNested({ "own.json": json({ namespace: "evil" }) });
		symlinkSync("own.json", join(root, "tripline.json"));
		giveAway(join(root, "tripline.json"));
		assert.equal((await readWhere("namespace", { at, env, uid })).value, "default");
	});

	test("is rejected as the target of the user's link", {
		skip: !isRoot && "only root can give files away",
	}, async () => {
		const { root, at } = createNested({ "others.json": json({ namespace: "evil" }) });
		symlinkSync("others.json", join(root, "tripline.json"));
		chownSync(join(root, "others.json"), STRANGER, STRANGER);
		assert.equal((await readWhere("namespace", { at, env, uid })).value, "default");
	});

	test("is used in the working folder, which the user chose", async () => {
		const { cwd, home } = place();
		writeFileSync(join(cwd, "tripline.json"), json({ namespace: "theirs" }));
		giveAway(join(cwd, "tripline.json"));
		assert.equal((await readWhere("namespace", { at: { cwd, home }, env, uid })).value, "theirs");
	});

	test("of root is used", { skip: !isRoot && "only root can make one" }, async () => {
		const { at } = createNested({ "tripline.json": json({ namespace: "team" }) });
		assert.equal((await readWhere("namespace", { at, env, uid: STRANGER })).value, "team");
	});
});
