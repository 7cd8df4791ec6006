import { spawn } from "node:child_process";

/** Without a shell, and only web addresses: the address comes from the service. False if no program was found. */
export function openBrowser(address: string): Promise<boolean> {
	const url = URL.parse(address);
	if (url === null || !/^https?:$/.test(url.protocol)) return Promise.resolve(false);
	const [program, ...words] = PROGRAMS[process.platform] ?? ["xdg-open"];
	return new Promise((resolve) => {
		const child = spawn(program as string, [...words, url.href], { stdio: "ignore", detached: true });
		child.once("error", () => resolve(false));
		child.once("spawn", () => {
			child.unref();
			resolve(true);
		});
	});
}

const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
	darwin: ["open"],
	win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
