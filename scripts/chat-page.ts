import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCES = fileURLToPath(new URL("../apps/console/src/chat/", import.meta.url));
const ASSETS = new URL("../services/executor/src/chat/assets.ts", import.meta.url);

/** The script and the style of the chat's page, as a module: both platforms serve them without reading files. */
export async function renderChatAssets(): Promise<string> {
	const [script, style] = [await bundle("main.ts"), await bundle("style.css")];
	return `/** Made by \`npm run chat-page\` of apps/console/src/chat. */

export const SCRIPT = ${JSON.stringify(script)};

export const STYLE = ${JSON.stringify(style)};

/** For the content security policy. */
export const SCRIPT_HASH = "${hash(script)}";

export const STYLE_HASH = "${hash(style)}";
`;
}

async function bundle(entry: string): Promise<string> {
	const { outputFiles } = await build({
		absWorkingDir: SOURCES,
		entryPoints: [entry],
		bundle: true,
		minify: true,
		write: false,
		format: "iife",
		charset: "utf8",
		target: ["es2023", "chrome120", "firefox121", "safari17.4"],
		legalComments: "none",
	});
	return (outputFiles[0]?.text ?? "").trim();
}

const hash = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

if (import.meta.main) writeFileSync(ASSETS, await renderChatAssets());
