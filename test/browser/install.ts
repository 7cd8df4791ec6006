// Installs Chromium for the tests of the console where there is none, on Debian and its like. Elsewhere, or where it
// cannot be had, it says so, and these tests are skipped.
import { spawnSync } from "node:child_process";
import { chromiumPath, NO_BROWSER } from "./chromium.ts";

if (chromiumPath() === undefined) {
	process.stderr.write("tripline: installing Chromium for the tests of the console…\n");
	const isInstalled = apt("update") && apt("install", "-y", "--no-install-recommends", "chromium");
	if (!isInstalled || chromiumPath() === undefined)
		process.stderr.write(`tripline: the console is not tested, because ${NO_BROWSER}\n`);
}

/** Without a password, or not at all: a test run must not stop to ask for one. */
function apt(...args: string[]): boolean {
	const [program, ...before] = process.getuid?.() === 0 ? ["apt-get"] : ["sudo", "-n", "apt-get"];
	const { status, stderr } = spawnSync(program ?? "", [...before, "-q", ...args], {
		env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
		stdio: ["ignore", "ignore", "pipe"],
		encoding: "utf8",
	});
	if (status !== 0 && stderr) process.stderr.write(stderr);
	return status === 0;
}
