/** A part of the platform cannot answer now: the same may work later. */
export class PlatformUnavailable extends Error {
	override readonly name: string = "PlatformUnavailable";
}
