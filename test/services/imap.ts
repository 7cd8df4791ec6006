import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	chownSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { TEST_CERTIFICATE } from "../../packages/platform/test/tls-certificate.ts";
import { findFreePort } from "../postgres.ts";

/** A user that has no rights anywhere. */
const NOBODY = { name: "nobody", group: "nogroup", id: 65534 };
const START_TIMEOUT_MS = 30_000;
const SERVER = "/usr/sbin/dovecot";

export const IMAP_PASSWORD = "correct-horse-battery";
/** Certifies the server for service.example. */
export const IMAP_CA = TEST_CERTIFICATE.cert;

export interface ImapServer {
	/** TLS from the start. */
	readonly port: number;
	/** STARTTLS, or no TLS at all. */
	readonly plainPort: number;
	/** Puts a mail into a mailbox, INBOX by default, as a mail server does. */
	deliver(user: string, source: string | Uint8Array, mailbox?: string): void;
	createMailbox(user: string, mailbox: string): void;
	/** The maildir of an INBOX, for a mail server that delivers there. */
	createMaildir(user: string): string;
	/** Mails in a mailbox, INBOX by default. */
	count(user: string, mailbox?: string): number;
	/** Forgets the numbers of all mails, so that the server gives them new ones. */
	renumber(user: string): void;
	stop(): Promise<void>;
}

/** Debian's own Dovecot, which is installed if it is missing. Its files are in a folder of their own. */
export async function startImap(options: { readonly capability?: string } = {}): Promise<ImapServer> {
	if (!existsSync(SERVER))
		execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "dovecot-imapd"], {
			env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
			stdio: "ignore",
		});
	const folder = mkdtempSync("/tmp/tripline-imap-");
	const [port, plainPort] = [await findFreePort(), await findFreePort()];
	const own = (path: string) => {
		if (process.getuid?.() === 0) chownSync(path, NOBODY.id, NOBODY.id);
	};
	own(folder);
	writeFileSync(join(folder, "cert.pem"), TEST_CERTIFICATE.cert);
	writeFileSync(join(folder, "key.pem"), TEST_CERTIFICATE.key);
	for (const name of ["cert.pem", "key.pem"]) own(join(folder, name));
	const config = join(folder, "dovecot.conf");
	writeFileSync(
		config,
		`
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
disable_plaintext_auth = no
mail_location = maildir:${folder}/mail/%u
mail_fsync = never
default_internal_user = ${NOBODY.name}
default_internal_group = ${NOBODY.group}
default_login_user = ${NOBODY.name}
first_valid_uid = 1
auth_cache_size = 1M
mail_max_userip_connections = 100
${options.capability === undefined ? "" : `imap_capability = ${options.capability}`}
passdb {
  driver = static
  args = password=${IMAP_PASSWORD}
}
userdb {
  driver = static
  args = uid=${NOBODY.id} gid=${NOBODY.id} home=${folder}/home/%u
}
service imap-login {
  chroot =
  service_count = 0
  inet_listener imap {
    port = ${plainPort}
  }
  inet_listener imaps {
    port = ${port}
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`,
	);
	const server = spawn(SERVER, ["-F", "-c", config], {
		stdio: "ignore",
		...(process.getuid?.() === 0 && { uid: NOBODY.id, gid: NOBODY.id }),
	});
	await waitForPort(server, port, folder);
	let delivered = 0;
	const locate = (user: string, mailbox?: string) =>
		join(folder, "mail", user, ...(mailbox === undefined ? [] : [`.${mailbox}`]));
	const createMailbox = (user: string, mailbox?: string) => {
		const place = locate(user, mailbox);
		if (existsSync(join(place, "new"))) return;
		for (const path of [
			join(folder, "mail"),
			locate(user),
			place,
			...["cur", "new", "tmp"].map((each) => join(place, each)),
		]) {
			mkdirSync(path, { recursive: true });
			own(path);
		}
	};
	return {
		port,
		plainPort,
		createMailbox,
		createMaildir(user) {
			createMailbox(user);
			return locate(user);
		},
		deliver(user, source, mailbox) {
			createMailbox(user, mailbox);
			const name = `${Math.floor(Date.now() / 1000)}.M${String(++delivered).padStart(8, "0")}.test`;
			const place = locate(user, mailbox);
			const temporary = join(place, "tmp", name);
			writeFileSync(temporary, source);
			own(temporary);
			renameSync(temporary, join(place, "new", name));
		},
		count: (user, mailbox) =>
			["cur", "new"].reduce((sum, each) => sum + readdirSync(join(locate(user, mailbox), each)).length, 0),
		renumber(user) {
			for (const name of [
				"dovecot-uidlist",
				"dovecot.index",
				"dovecot.index.log",
				"dovecot.index.cache",
				"dovecot-uidvalidity",
			])
				rmSync(join(locate(user), name), { force: true });
		},
		async stop() {
			const ended = once(server, "exit");
			server.kill("SIGTERM");
			await ended;
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

async function waitForPort(server: ChildProcess, port: number, folder: string): Promise<void> {
	const until = Date.now() + START_TIMEOUT_MS;
	for (;;) {
		if (server.exitCode !== null || Date.now() > until)
			throw new Error(`Dovecot did not start: ${folder}/log`);
		const socket = connect(port, "127.0.0.1");
		const isOpen = await new Promise((resolve) => {
			socket.once("connect", () => resolve(true));
			socket.once("error", () => resolve(false));
		});
		socket.destroy();
		if (isOpen) return;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}
