import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PLACES = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];
const HOW = "install Chromium or Chrome, or name one in CHROMIUM_PATH";

let found: string | undefined;

/** A real browser, the machine's own; on Debian and its like one is installed when there is none. */
export async function launchChromium(): Promise<Browser> {
	found ??= installed() ?? install();
	return chromium.launch({
		executablePath: found,
		// In a container it has no user to be confined to. The processor draws: pages by themselves, which is a tenth
		// of the work that they are through SwiftShader, and what needs WebGL by that.
		args: ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"],
	});
}

function installed(): string | undefined {
	const folders = (process.env.PATH ?? "").split(":");
	const places = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
	return process.env.CHROMIUM_PATH ?? places.find((place) => existsSync(place));
}

function install(): string {
	const isRoot = process.getuid?.() === 0;
	if (spawnSync("apt-get", ["--version"]).error !== undefined) throw new Error(`there is no browser: ${HOW}`);
	// Without a password, or not at all: a test run must not stop to ask for one.
	const command = isRoot ? [] : ["sudo", "-n"];
	process.stderr.write("tripline: installing Chromium for the tests…\n");
	for (const args of [
		["apt-get", "update", "-q"],
		["apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium"],
	]) {
		const [program = "", ...rest] = [...command, ...args];
		try {
			execFileSync(program, rest, {
				stdio: ["ignore", "ignore", "pipe"],
				env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
			});
		} catch (error) {
			throw new Error(`Chromium could not be installed: ${HOW}`, { cause: error });
		}
	}
	const place = installed();
	if (place === undefined) throw new Error(`apt-get installed no Chromium: ${HOW}`);
	return place;
}
