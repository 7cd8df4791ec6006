import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PLACES = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

/** Where the machine's own browser is; undefined: it has none. */
export function chromiumPath(): string | undefined {
	const folders = (process.env.PATH ?? "").split(":");
	const places = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
	return process.env.CHROMIUM_PATH ?? places.find((place) => existsSync(place));
}

/** Why tests in a browser cannot be run, or false. */
export const NO_BROWSER: string | false =
	chromiumPath() === undefined
		? "there is no Chromium: npm test installs one on Debian and its like; elsewhere install it, or name it in CHROMIUM_PATH"
		: false;

export async function launchChromium(): Promise<Browser> {
	const executablePath = chromiumPath();
	if (executablePath === undefined) throw new Error(String(NO_BROWSER));
	return chromium.launch({
		executablePath,
		// In a container it has no user to be confined to. The processor draws: pages by themselves, which is a tenth
		// of the work that they are through SwiftShader, and what needs WebGL by that.
		args: ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"],
	});
}
