/** Sets the client's IP address: Workers get it from the platform, Node from a trusted proxy (TRUST_PROXY). */
export const fromAddress = (address: string): Readonly<Record<string, string>> => ({
	"cf-connecting-ip": address,
	"x-forwarded-for": address,
});
