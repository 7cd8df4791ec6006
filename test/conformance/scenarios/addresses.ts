/** Where a request comes from: the platform says it on Workers, and a trusted proxy (TRUST_PROXY) before Node. */
export const from = (address: string): Readonly<Record<string, string>> => ({
	"cf-connecting-ip": address,
	"x-forwarded-for": address,
});
