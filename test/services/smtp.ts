import { spawn } from "node:child_process";
import {
	chmodSync,
	chownSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { TEST_CERTIFICATE } from "../../packages/platform/test/tls-certificate.ts";
import { findFreePort } from "../postgres.ts";
import { installPackage, NOBODY, stopServer, waitForPort } from "./debian.ts";

const SERVER = "/usr/sbin/exim4";

/** Mail to `…@service.example` is delivered, whoever it is for; `nobody-here` does not exist, `later` comes later. */
export const MAIL_DOMAIN = "service.example";

export interface SmtpServer {
	/** With STARTTLS, by the certificate of `service.example`. */
	readonly port: number;
	readonly user: string;
	readonly password: string;
	/** Messages as they were delivered, in any order. */
	list(): Buffer[];
	stop(): Promise<void>;
}

/** Debian's Exim as a child process, with all its files in a folder of its own, unless mails go to another maildir. */
export async function startSmtp(options: { readonly maildir?: string } = {}): Promise<SmtpServer> {
	installPackage(SERVER, "exim4-daemon-light");
	const folder = mkdtempSync("/tmp/tripline-exim-");
	const { maildir = join(folder, "mail") } = options;
	const [user, password] = ["ada", "correct-horse-battery"];
	const isRoot = process.getuid?.() === 0;
	for (const name of ["spool", "log"]) mkdirSync(join(folder, name));
	writeFileSync(join(folder, "cert.pem"), TEST_CERTIFICATE.cert);
	writeFileSync(join(folder, "key.pem"), TEST_CERTIFICATE.key);
	writeFileSync(join(folder, "exim.conf"), buildConfig({ folder, maildir, user, password, isRoot }));
	// The server refuses settings that others could write.
	chmodSync(join(folder, "exim.conf"), 0o644);
	if (isRoot) {
		chmodSync(folder, 0o755);
		for (const name of ["spool", "log", "key.pem", "cert.pem"])
			chownSync(join(folder, name), NOBODY.id, NOBODY.id);
		mkdirSync(join(folder, "mail"));
		chownSync(join(folder, "mail"), NOBODY.id, NOBODY.id);
	}
	const port = await findFreePort();
	const server = spawn(
		SERVER,
		["-C", join(folder, "exim.conf"), "-bdf", "-q1m", "-oX", `127.0.0.1.${port}`],
		{
			stdio: "ignore",
		},
	);
	await waitForPort(server, port);
	return {
		...{ port, user, password },
		list() {
			const delivered = join(maildir, "new");
			return existsSync(delivered)
				? readdirSync(delivered).map((name) => readFileSync(join(delivered, name)))
				: [];
		},
		async stop() {
			await stopServer(server);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

const buildConfig = ({
	folder,
	maildir,
	user,
	password,
	isRoot,
}: {
	readonly folder: string;
	readonly maildir: string;
	readonly user: string;
	readonly password: string;
	readonly isRoot: boolean;
}): string => `
${isRoot ? `exim_user = ${NOBODY.name}\nexim_group = ${NOBODY.group}` : ""}
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
pid_file_path = ${folder}/exim.pid
primary_hostname = ${MAIL_DOMAIN}
domainlist local_domains = ${MAIL_DOMAIN}
acl_smtp_rcpt = check_recipient
tls_advertise_hosts = *
tls_certificate = ${folder}/cert.pem
tls_privatekey = ${folder}/key.pem
message_size_limit = 20M
check_spool_space = 0
host_lookup =
rfc1413_query_timeout = 0s
keep_environment =
smtp_accept_max = 100
smtp_accept_queue_per_connection = 0

begin acl
check_recipient:
  deny message = log in first
       !authenticated = *
  deny message = no such user
       local_parts = nobody-here
  defer message = come back later
       local_parts = later
  deny message = relay not permitted
       !domains = +local_domains
  accept

begin routers
all:
  driver = accept
  transport = maildir

begin transports
maildir:
  driver = appendfile
  directory = ${maildir}
  maildir_format
  ${isRoot ? `user = ${NOBODY.name}\n  group = ${NOBODY.group}` : ""}

begin retry
* * F,1h,1m

begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{$auth2}{${user}}}{eq{$auth3}{${password}}}}}
  server_set_id = $auth2
`;
