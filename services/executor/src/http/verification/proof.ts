import type { Signature } from "@tripline/contract/webhook-trigger";
import type { IncomingHeaders } from "@tripline/web/http-message";

export interface SignedCall {
	readonly signature: Omit<Signature, "credential">;
	readonly secret: string;
	/** The public URL as the sender called it, with the query. */
	readonly url: string;
	readonly headers: IncomingHeaders;
	/** The raw bytes: parsing and serialising again would change them. */
	readonly body: Uint8Array;
	readonly now: number;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** What a call claims: that it was made with the secret, at a time. */
export type Proof = HmacProof | Ed25519Proof | TokenProof;

/** When the call was made, or null if the scheme does not say it, so that a call can be replayed at any time. */
interface Timed {
	readonly time: SentTime | null;
}

export interface SentTime {
	/** Unix milliseconds. */
	readonly at: number;
	/** Before and after now: the sender's clock may be ahead. Default 5 minutes. */
	readonly windowSeconds?: number;
}

export interface HmacProof extends Timed {
	readonly kind: "hmac";
	readonly hash?: "SHA-1" | "SHA-256" | "SHA-512";
	/** If it is not the secret as text. */
	readonly key?: Bytes;
	/** The texts that may have been signed; usually one. */
	readonly texts: readonly SignedText[];
	/** One valid signature of one text is enough. */
	readonly signatures: readonly Bytes[];
	/** For a time in the body, which is not read before the signature is known to be valid. */
	readonly readTime?: () => SentTime | string;
}

/** The parts of a signed text, in order. */
export type SignedText = readonly (string | Uint8Array)[];

export interface Ed25519Proof extends Timed {
	readonly kind: "ed25519";
	readonly publicKey: Bytes;
	readonly text: SignedText;
	readonly signature: Bytes;
}

/** The secret itself. */
interface TokenProof {
	readonly kind: "token";
	readonly header: string;
	readonly token: string;
}

/** Reads the proof from a call. A string is the reason for rejecting it. */
export type ReadProof = (call: SignedCall) => Proof | string | Promise<Proof | string>;

export const missingHeader = (header: string): string => `header ${header} is missing`;
