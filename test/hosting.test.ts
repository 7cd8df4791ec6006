import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { readAnyYaml } from "@tripline/openapi/any-yaml";
import { parseSettings, SETTING_NAMES } from "../apps/node/src/settings.ts";
import pins from "../scripts/launch/node-pins.json" with { type: "json" };

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

const containerfile = read("Containerfile");

/** The environment of the image, as its last stage sets it. */
const image = Object.fromEntries(
	[...containerfile.slice(containerfile.indexOf("FROM scratch")).matchAll(/^ENV (.+)$/gm)].flatMap(
		([, line = ""]) => line.split(" ").map((pair) => pair.split("=") as [string, string]),
	),
);

/** What an operator puts into `.env`. */
const ENV_FILE: Readonly<Record<string, string>> = {
	TRIPLINE_DOMAIN: "tripline.example.com",
	SERVICE_ACCESS_TOKEN: "0123456789abcdef",
	MCP_OWNER_SECRET: "0123456789abcdef",
	POSTGRES_PASSWORD: "0123456789abcdef",
	MASTER_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
};

interface Container {
	readonly image: string;
	readonly build?: { readonly dockerfile: string };
	readonly ports?: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	readonly volumes: readonly string[];
	readonly networks?: readonly string[];
	readonly read_only?: boolean;
	readonly cap_drop?: readonly string[];
}

function readCompose(file: string): Readonly<Record<string, Container>> {
	const text = read(file).replaceAll(
		/\$\{(\w+):([-?])([^}]*)\}/g,
		(_all, name: string, kind: string, otherwise: string) => {
			if (kind === "-") return otherwise;
			const given = ENV_FILE[name];
			assert.ok(given !== undefined, `${file} needs ${name}`);
			return given;
		},
	);
	return (readAnyYaml(text, file) as unknown as { services: Record<string, Container> }).services;
}

function parseContainer({ environment }: Container) {
	const texts = Object.entries(environment).map(([name, value]) => [name, String(value ?? "")]);
	return parseSettings({ ...image, ...Object.fromEntries(texts) });
}

const listUnknown = (names: readonly string[]) => names.filter((name) => !SETTING_NAMES.includes(name));

describe("the image", () => {
	test("is built with the Node that the launcher fetches", () => {
		assert.equal(/^FROM \S+\/node:([\d.]+)-/m.exec(containerfile)?.[1], pins.version);
	});

	test("has only settings that exist, and the port of the service", () => {
		const { PATH: _path, HOME: _home, ...settings } = image;
		assert.deepEqual(listUnknown(Object.keys(settings)), []);
		const { PORT, DATA_DIR } = parseSettings({ ...settings, SERVICE_ACCESS_TOKEN: "0123456789abcdef" });
		assert.match(containerfile, new RegExp(`^EXPOSE ${PORT}$`, "m"));
		assert.match(containerfile, new RegExp(`^VOLUME ${DATA_DIR}$`, "m"));
	});

	test("does not start where others reach it without a token", () => {
		assert.throws(() => parseSettings(image), /SERVICE_ACCESS_TOKEN/);
	});
});

for (const file of ["compose.yaml", "compose.scaled.yaml"])
	describe(file, () => {
		const containers = readCompose(file);
		const services = Object.entries(containers).filter(([, container]) => container.image === "tripline");

		test("starts the service with settings that it accepts", () => {
			assert.equal(services.length, file === "compose.yaml" ? 1 : 3);
			for (const [, container] of services) {
				assert.deepEqual(listUnknown(Object.keys(container.environment)), []);
				const { DATA_DIR, BASE_URL, TRUST_PROXY } = parseContainer(container);
				assert.equal(container.volumes[0]?.split(":")[1], DATA_DIR);
				assert.equal(container.build?.dockerfile, "Containerfile");
				assert.equal(TRUST_PROXY, BASE_URL !== undefined);
			}
		});

		test("gives it no rights that it does not need", () => {
			for (const [, container] of services) {
				assert.equal(container.read_only, true);
				assert.deepEqual(container.cap_drop, ["ALL"]);
			}
		});

		test("publishes the service on this machine or by the proxy, and nothing else", () => {
			const published = Object.entries(containers).filter(([, { ports }]) => ports !== undefined);
			assert.equal(published.length, 1);
			const [[name, { ports }]] = published as [[string, Container]];
			if (name === "proxy") return;
			const { PORT } = parseContainer(containers[name] as Container);
			assert.deepEqual(ports, [`127.0.0.1:${PORT}:${PORT}`]);
		});
	});

test("the proxy of compose.scaled.yaml reaches all services by the names in the Caddyfile", () => {
	const { proxy, database, ...services } = readCompose("compose.scaled.yaml");
	assert.deepEqual(
		proxy?.environment.TRIPLINE_UPSTREAMS?.split(" "),
		Object.entries(services).map(([name, container]) => `${name}:${parseContainer(container).PORT}`),
	);
	const used = [...read("deploy/Caddyfile").matchAll(/\{\$(\w+):/g)].map(([, name]) => name);
	assert.deepEqual(used.sort(), Object.keys(proxy?.environment ?? {}).sort());
	assert.ok(proxy?.volumes.includes("./deploy/Caddyfile:/etc/caddy/Caddyfile:ro"));
	assert.deepEqual(database?.networks, ["database"]);
});

test("the systemd unit has only settings that exist, and stores data where it may write", () => {
	const unit = read("deploy/tripline.service");
	const settings = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = "", value]) => [
		name,
		value,
	]);
	assert.deepEqual(listUnknown(settings.map(([name = ""]) => name)), []);
	const { DATA_DIR } = parseSettings(Object.fromEntries(settings));
	assert.equal(DATA_DIR, `/var/lib/${/^StateDirectory=(.+)$/m.exec(unit)?.[1]}`);
});

test("the proxies' configurations name settings that exist", () => {
	for (const file of ["deploy/nginx.conf", "deploy/Caddyfile"]) {
		const named = [...read(file).matchAll(/\b([A-Z]+(?:_[A-Z]+)+)\b/g)].map(([, name = ""]) => name);
		assert.ok(named.includes("TRUST_PROXY"), file);
		assert.deepEqual(
			listUnknown(named).filter((name) => !name.startsWith("TRIPLINE_")),
			[],
			file,
		);
	}
});
