/** Part of the platform cannot answer now; the same call may work later. */
export class PlatformUnavailable extends Error {
	override readonly name: string = "PlatformUnavailable";
}
