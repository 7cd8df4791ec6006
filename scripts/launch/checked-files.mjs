import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Remembers which files passed a check that looks at each file on its own, so that they are not checked again until they
 * or one of the settings change.
 */
export function rememberChecked(root, name, settings) {
	const cache = join(root, "node_modules", ".cache", `${name}.json`);
	let checked = null;
	return {
		/** The files to check; null means all. */
		list() {
			checked = describeFiles(root, settings);
			const before = readCache(cache);
			if (checked === null || before?.settings !== checked.settings) return null;
			return Object.keys(checked.files).filter((file) => before.files[file] !== checked.files[file]);
		},
		/** Call it when what `list` returned has passed. */
		save() {
			if (checked === null) return;
			mkdirSync(dirname(cache), { recursive: true });
			writeFileSync(cache, JSON.stringify(checked));
		},
	};
}

/** Null without git. */
function describeFiles(root, settings) {
	const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
	const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
	if (status !== 0) return null;
	const files = {};
	for (const file of stdout.split("\0")) {
		const found = file === "" ? undefined : statSync(join(root, file), { throwIfNoEntry: false });
		if (found?.isFile()) files[file] = `${found.mtimeMs} ${found.size}`;
	}
	const hash = createHash("sha256");
	for (const file of settings) hash.update(readFileSync(join(root, file)));
	return { settings: hash.digest("hex"), files };
}

function readCache(path) {
	try {
		return JSON.parse(readFileSync(path, "utf8"));
	} catch {
		return null;
	}
}
