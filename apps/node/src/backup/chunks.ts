import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from "node:crypto";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { byteReader } from "./byte-reader.ts";
import { BackupProblem } from "./problem.ts";

/** An archive is one line of JSON and then chunks: kind, length, content, check. */
interface Header {
	readonly format: "tripline-backup-1";
	/** Of the derivation of the key; null if the archive is not encrypted. */
	readonly salt: string | null;
}

const FORMAT = "tripline-backup-1";
/** What a chunk holds before it is compressed. */
const CHUNK_BYTES = 1_048_576;
/** Compression may add a little to what cannot be compressed. */
const MAX_STORED_BYTES = CHUNK_BYTES + 65_536;
const MAX_HEADER_BYTES = 1024;
const HEAD_BYTES = 5;
const KEY_BYTES = 32;
const SALT_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HASH_BYTES = 32;
/** 128 MiB for each guess of a passphrase. Fixed by the format, so that no archive can ask for more. */
const SCRYPT = { N: 131_072, r: 8, p: 1, maxmem: 268_435_456 };
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The last chunk says so, and the check covers that: an archive that is cut off between chunks is noticed. */
const MORE = 0;
const LAST = 1;

interface Seal {
	readonly checkBytes: number;
	/** Returns the stored content and its check. */
	close(kind: number, content: Buffer): [Buffer, Buffer];
	/** Throws if the content is not what was written at this position of this archive. */
	open(kind: number, stored: Buffer, check: Buffer): Buffer;
}

/** Compresses, and encrypts if there is a passphrase. */
export async function* writeChunks(
	content: AsyncIterable<Uint8Array>,
	passphrase: string | null,
): AsyncGenerator<Buffer> {
	const salt = passphrase === null ? null : randomBytes(SALT_BYTES).toString("base64");
	const line = `${JSON.stringify({ format: FORMAT, salt } satisfies Header)}\n`;
	const seal = createSeal(line, salt, passphrase);
	yield Buffer.from(line);
	const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
	let filled = 0;
	for await (const piece of content) {
		for (let at = 0; at < piece.length; ) {
			// Not before more arrives, so that the last chunk can be marked.
			if (filled === CHUNK_BYTES) {
				yield render(MORE);
				filled = 0;
			}
			const length = Math.min(piece.length - at, CHUNK_BYTES - filled);
			buffer.set(piece.subarray(at, at + length), filled);
			at += length;
			filled += length;
		}
	}
	yield render(LAST);

	function render(kind: number): Buffer {
		const [stored, check] = seal.close(kind, zstdCompressSync(buffer.subarray(0, filled), COMPRESSION));
		const head = Buffer.alloc(HEAD_BYTES);
		head.writeUInt8(kind);
		head.writeUInt32BE(stored.length, 1);
		return Buffer.concat([head, stored, check]);
	}
}

/** Throws at the first byte that is missing, changed or too much; what was returned before is as it was written. */
export async function* readChunks(
	archive: AsyncIterable<Uint8Array>,
	passphrase: string | null,
): AsyncGenerator<Buffer> {
	const reader = byteReader(archive);
	const line = await reader.readLine(MAX_HEADER_BYTES);
	const salt = readSalt(line);
	if (salt !== null && passphrase === null)
		throw new BackupProblem(
			"the backup is encrypted: set BACKUP_PASSPHRASE_FILE or BACKUP_PASSPHRASE to its passphrase",
		);
	if (salt === null && passphrase !== null)
		throw new BackupProblem(
			"a passphrase is set, but the backup is not encrypted, so anybody could have made it: leave the passphrase unset if you trust it",
		);
	const seal = createSeal(line ?? "", salt, passphrase);
	for (let nth = 0; ; nth++) {
		const head = await reader.read(HEAD_BYTES);
		const kind = head?.readUInt8() ?? MORE;
		const length = head?.readUInt32BE(1) ?? 0;
		if (length > MAX_STORED_BYTES || kind > LAST) throw damaged();
		const stored = await reader.read(length);
		const check = await reader.read(seal.checkBytes);
		if (head === null || stored === null || check === null)
			throw new BackupProblem("the backup is incomplete: its end is missing");
		let content: Buffer;
		try {
			content = zstdDecompressSync(seal.open(kind, stored, check), { maxOutputLength: CHUNK_BYTES });
		} catch {
			throw salt !== null && nth === 0
				? new BackupProblem("the passphrase is wrong, or the backup is damaged")
				: damaged();
		}
		yield content;
		if (kind === LAST) break;
	}
	if ((await reader.read(1)) !== null)
		throw new BackupProblem("the backup is damaged: something follows its end");
}

const damaged = () => new BackupProblem("the backup is damaged");

function readSalt(line: string | null): string | null {
	try {
		const { format, salt } = JSON.parse(line ?? "") as Header;
		if (format === FORMAT && (salt === null || Buffer.from(salt, "base64").length === SALT_BYTES))
			return salt;
	} catch {
		// Something else than a header.
	}
	throw new BackupProblem("this is not a backup, or it was made by a newer version");
}

function createSeal(header: string, salt: string | null, passphrase: string | null): Seal {
	if (salt === null || passphrase === null) return hashSeal(header);
	const key = scryptSync(passphrase.normalize("NFC"), Buffer.from(salt, "base64"), KEY_BYTES, SCRYPT);
	return cipherSeal(header, key);
}

/** A chain of hashes: it shows damage, but not what somebody changed on purpose. */
function hashSeal(header: string): Seal {
	let last: Buffer = createHash("sha256").update(header).digest();
	const next = (kind: number, content: Buffer): Buffer => {
		last = createHash("sha256").update(last).update(Buffer.of(kind)).update(content).digest();
		return last;
	};
	return {
		checkBytes: HASH_BYTES,
		close: (kind, content) => [content, next(kind, content)],
		open(kind, stored, check) {
			if (!next(kind, stored).equals(check)) throw damaged();
			return stored;
		},
	};
}

/** Every archive has its own key, because of its salt, so that a counter is a nonce. */
function cipherSeal(header: string, key: Buffer): Seal {
	let count = 0;
	const nextNonce = (): Buffer => {
		const nonce = Buffer.alloc(NONCE_BYTES);
		nonce.writeUIntBE(count++, NONCE_BYTES - 6, 6);
		return nonce;
	};
	const getContext = (kind: number): Buffer => Buffer.concat([Buffer.from(header), Buffer.of(kind)]);
	return {
		checkBytes: TAG_BYTES,
		close(kind, content) {
			const cipher = createCipheriv("aes-256-gcm", key, nextNonce()).setAAD(getContext(kind));
			const stored = Buffer.concat([cipher.update(content), cipher.final()]);
			return [stored, cipher.getAuthTag()];
		},
		open(kind, stored, check) {
			const decipher = createDecipheriv("aes-256-gcm", key, nextNonce(), { authTagLength: TAG_BYTES });
			decipher.setAAD(getContext(kind)).setAuthTag(check);
			return Buffer.concat([decipher.update(stored), decipher.final()]);
		},
	};
}
