// Installs Chromium for the browser tests if it is missing, on Debian-based systems. If that fails, or on other
// systems, prints a message; the tests are then skipped.
import { spawnSync } from "node:child_process";
import { chromiumPath, NO_BROWSER } from "./chromium.ts";

if (chromiumPath() === undefined) {
	process.stderr.write("tripline: installing Chromium for the browser tests…\n");
	const isInstalled = apt("update") && apt("install", "-y", "--no-install-recommends", "chromium");
	if (!isInstalled || chromiumPath() === undefined)
		process.stderr.write(`tripline: browser tests are skipped: ${NO_BROWSER}\n`);
}

/** Never prompts for a password, because a test run must not block. */
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
