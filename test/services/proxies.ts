import { spawn } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TEST_CERTIFICATE } from "../../packages/platform/test/tls-certificate.ts";
import { findFreePort } from "../postgres.ts";
import { installPackage, NOBODY, stopServer, waitForPort } from "./debian.ts";

/** The name in the certificate. */
export const PROXY_HOST = "service.example";

export interface ReverseProxy {
	readonly url: string;
	/** Without TLS. */
	readonly plainPort: number;
	/** Starts it in front of these ports of this machine. */
	start(upstreams: readonly number[]): Promise<void>;
	stop(): Promise<void>;
}

/** Debian's nginx with `deploy/nginx.conf`, of which only names, ports and paths are changed. */
export const prepareNginx = (): Promise<ReverseProxy> =>
	prepareProxy("nginx", ({ folder, port, plainPort, upstreams }) => {
		installPackage("/usr/sbin/nginx", "nginx-light");
		const site = replaceAll(readDeployed("nginx.conf"), {
			"tripline.example.com;": `${PROXY_HOST};`,
			"/etc/letsencrypt/live/tripline.example.com": folder,
			"listen [::]:443 ssl http2;": "",
			"listen [::]:80;": "",
			"listen 443": `listen 127.0.0.1:${port}`,
			"listen 80;": `listen 127.0.0.1:${plainPort};`,
			"server 127.0.0.1:8484;": upstreams.map((each) => `server 127.0.0.1:${each};`).join("\n"),
		});
		const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
			(name) => `${name}_temp_path ${folder}/${name};`,
		);
		writeFileSync(join(folder, "tripline.conf"), site);
		writeFileSync(
			join(folder, "main.conf"),
			`daemon off;
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
	access_log off;
	${places.join("\n\t")}
	include ${folder}/tripline.conf;
}
`,
		);
		return { program: "/usr/sbin/nginx", args: ["-e", `${folder}/error.log`, "-c", `${folder}/main.conf`] };
	});

/** Debian's Caddy with `deploy/Caddyfile` and a certificate of its own. */
export const prepareCaddy = (): Promise<ReverseProxy> =>
	prepareProxy("caddy", ({ folder, port, plainPort, upstreams }) => {
		installPackage("/usr/bin/caddy", "caddy");
		const certificate = `tls ${folder}/fullchain.pem ${folder}/privkey.pem`;
		const site = replaceAll(readDeployed("Caddyfile"), {
			"\n\trequest_body {": `\n\t${certificate}\n\tbind 127.0.0.1\n\trequest_body {`,
		});
		const file = join(folder, "Caddyfile");
		writeFileSync(file, `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n}\n${site}`);
		return {
			program: "/usr/bin/caddy",
			args: ["run", "--config", file, "--adapter", "caddyfile"],
			env: {
				TRIPLINE_DOMAIN: PROXY_HOST,
				TRIPLINE_UPSTREAMS: upstreams.map((each) => `127.0.0.1:${each}`).join(" "),
				HOME: folder,
			},
		};
	});

interface Place {
	readonly folder: string;
	readonly port: number;
	readonly plainPort: number;
	readonly upstreams: readonly number[];
}

interface Command {
	readonly program: string;
	readonly args: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
}

async function prepareProxy(name: string, configure: (place: Place) => Command): Promise<ReverseProxy> {
	const [port, plainPort] = [await findFreePort(), await findFreePort()];
	const folder = mkdtempSync(`/tmp/tripline-${name}-`);
	let stop = async () => {};
	return {
		url: `https://${PROXY_HOST}:${port}`,
		plainPort,
		async start(upstreams) {
			writeFileSync(join(folder, "fullchain.pem"), TEST_CERTIFICATE.cert);
			writeFileSync(join(folder, "privkey.pem"), TEST_CERTIFICATE.key);
			const isRoot = process.getuid?.() === 0;
			if (isRoot) chownSync(folder, NOBODY.id, NOBODY.id);
			const { program, args, env } = configure({ folder, port, plainPort, upstreams });
			const server = spawn(program, args, {
				...{ stdio: "ignore", cwd: folder, env: { PATH: process.env.PATH, ...env } },
				...(isRoot && { uid: NOBODY.id, gid: NOBODY.id }),
			});
			stop = () => stopServer(server);
			await waitForPort(server, port);
		},
		async stop() {
			await stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

const readDeployed = (file: string): string =>
	readFileSync(new URL(`../../deploy/${file}`, import.meta.url), "utf8");

/** What is no longer there would silently stay as it is. */
function replaceAll(text: string, replacements: Readonly<Record<string, string>>): string {
	return Object.entries(replacements).reduce((replaced, [from, to]) => {
		if (!replaced.includes(from)) throw new Error(`the configuration no longer has: ${from}`);
		return replaced.replaceAll(from, to);
	}, text);
}
