import assert from "node:assert/strict";
import type { CreateCipher } from "../../src/cipher.ts";
import { CannotOpen, createKeyBytes } from "../../src/vault.ts";
import type { ContractCase } from "./contract.ts";

/** Sealed by Node: what one platform sealed, another can open. */
const SEALED = "000102030405060708090a0b3367b83ba79cb67efe60606021d9f96ed856511f7af9010f6106";

export const cipherContract: readonly ContractCase<CreateCipher>[] = [
	{
		name: "a sealed text can be opened, whatever it contains",
		async run(createCipher) {
			const cipher = await createCipher(createKeyBytes());
			for (const text of ["", "x", "\ufeffwith a byte order mark", "茶🍵\u0000", "long ".repeat(100_000)])
				assert.equal(await cipher.open(await cipher.seal(text)), text);
		},
	},
	{
		name: "the same text is sealed differently each time, and shows nothing",
		async run(createCipher) {
			const cipher = await createCipher(createKeyBytes());
			const [one, other] = [await cipher.seal("canary"), await cipher.seal("canary")];
			assert.notDeepEqual(one, other);
			assert.ok(!Buffer.from(one).includes("canary"));
		},
	},
	{
		name: "another key, other bytes or too few open nothing",
		async run(createCipher) {
			const cipher = await createCipher(createKeyBytes());
			const sealed = await cipher.seal("text");
			const other = await createCipher(createKeyBytes());
			await assert.rejects(async () => other.open(sealed), CannotOpen);
			for (const at of [0, 12, sealed.length - 1]) {
				const changed = Uint8Array.from(sealed);
				changed[at] = (changed[at] as number) ^ 1;
				await assert.rejects(async () => cipher.open(changed), CannotOpen);
			}
			for (const length of [0, 5, 12, 27])
				await assert.rejects(async () => cipher.open(sealed.subarray(0, length)), CannotOpen);
		},
	},
	{
		name: "opens what another platform has sealed",
		async run(createCipher) {
			const cipher = await createCipher(Uint8Array.from({ length: 32 }, (_, at) => at));
			assert.equal(await cipher.open(Buffer.from(SEALED, "hex")), "ten bytes!");
		},
	},
];
