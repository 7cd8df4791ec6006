import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PLACES = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

/** Path of the installed browser; undefined if there is none. */
export function chromiumPath(): string | undefined {
	const folders = (process.env.PATH ?? "").split(":");
	const places = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
	return process.env.CHROMIUM_PATH ?? places.find((place) => existsSync(place));
}

/** Why browser tests are skipped, or false. */
export const NO_BROWSER: string | false =
	chromiumPath() === undefined
		? "Chromium is missing: npm test installs it on Debian-based systems; elsewhere install it or set CHROMIUM_PATH"
		: false;

export async function launchChromium(): Promise<Browser> {
	const executablePath = chromiumPath();
	if (executablePath === undefined) throw new Error(String(NO_BROWSER));
	return chromium.launch({
		executablePath,
		// The sandbox needs a user, which a container lacks. Pages are rendered in software directly, at a tenth of the
		// cost of SwiftShader, which is used for WebGL only.
		args: ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"],
	});
}
