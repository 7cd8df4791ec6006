/** Addresses that a call must not reach, by kind. */
const PRIVATE_IPV4 = [
	"127.0.0.1",
	"127.255.255.254",
	"0.0.0.0",
	"10.0.0.1",
	"172.16.0.1",
	"172.31.255.255",
	"192.168.1.1",
	"169.254.169.254",
	"100.64.0.1",
	"100.100.100.200",
	"192.0.0.192",
	"198.18.0.1",
	"224.0.0.1",
	"240.0.0.1",
	"255.255.255.255",
];

/** Spellings of an IPv4 address in a URL, by name. */
export const SPELLINGS: Readonly<Record<string, (octets: readonly number[]) => string>> = {
	plain: (octets) => octets.join("."),
	decimal: (octets) => String(toNumber(octets)),
	hexadecimal: (octets) => `0x${toNumber(octets).toString(16)}`,
	octal: (octets) => `0${toNumber(octets).toString(8)}`,
	"hexadecimal parts": (octets) => octets.map((each) => `0X${each.toString(16)}`).join("."),
	"octal parts": (octets) => octets.map((each) => `000${each.toString(8)}`).join("."),
	"mixed parts": ([a = 0, b = 0, c = 0, d = 0]) => `0x${a.toString(16)}.0${b.toString(8)}.${c}.${d}`,
	"two parts": ([a = 0, ...rest]) => `${a}.${toNumber([0, ...rest])}`,
	"three parts": ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b}.${c * 256 + d}`,
	"a last dot": (octets) => `${octets.join(".")}.`,
	"percent signs": (octets) => [...octets.join(".")].map((each) => `%${hex(each.charCodeAt(0))}`).join(""),
	"full-width digits": (octets) => octets.join(".").replace(/\d/g, (digit) => shiftDigit(digit, 0xff10)),
	"circled digits": (octets) => octets.join(".").replace(/[1-9]/g, (digit) => shiftDigit(digit, 0x245f)),
	"ideographic dots": (octets) => octets.join("\u3002"),
	"half-width dots": (octets) => octets.join("\uff61"),
	"soft hyphens": (octets) => octets.join(".\u00ad"),
	mapped: (octets) => `[::ffff:${octets.join(".")}]`,
	"mapped in hexadecimal": (octets) => `[::FFFF:${toGroups(octets)}]`,
	"mapped in full": (octets) => `[0000:0000:0000:0000:0000:ffff:${toGroups(octets)}]`,
};

/** IPv6 addresses that embed an IPv4 address; all of them are refused. */
const EMBEDDINGS: Readonly<Record<string, (octets: readonly number[]) => string>> = {
	compatible: (octets) => `[::${toGroups(octets)}]`,
	translated: (octets) => `[::ffff:0:${toGroups(octets)}]`,
	NAT64: (octets) => `[64:ff9b::${toGroups(octets)}]`,
	"local NAT64": (octets) => `[64:ff9b:1::${toGroups(octets)}]`,
	"6to4": (octets) => `[2002:${toGroups(octets)}::1]`,
	Teredo: (octets) => `[2001:0:${toGroups(octets)}::1]`,
};

const IPV6 = [
	"::",
	"::1",
	"0:0:0:0:0:0:0:1",
	"0000:0000:0000:0000:0000:0000:0000:0001",
	"::2",
	"fe80::1",
	"FE80::1",
	"febf::1",
	"fec0::1",
	"fc00::1",
	"fd00::1",
	"fd00:ec2::254",
	"fd20:ce::254",
	"fd00:42::42",
	"ff02::1",
	"ff05::1:3",
	"100::1",
	"2001:db8::1",
	"2001:2::1",
	"2001:10::1",
	"2001:20::1",
	"3fff::1",
	"5f00::1",
	"4000::1",
	"8000::1",
	"::ffff:0:7f00:1",
];

const NAMES = [
	"localhost",
	"LOCALHOST",
	"LocalHost",
	"localhost.",
	"localhost..",
	"a.localhost",
	"foo.bar.localhost",
	"ⓛocalhost",
	"ｌｏｃａｌｈｏｓｔ",
	"l\u00adocalhost",
	"%6cocalhost",
	"localhost%2e",
	"localhost.localdomain",
	"ip6-localhost",
	"printer.local",
	"db.internal",
	"metadata.google.internal",
	"METADATA.google.INTERNAL",
	"metadata.google.internal.",
	"metadata",
	"instance-data",
	"instance-data.ec2.internal",
	"metadata.azure.internal",
	"rancher-metadata",
	"kubernetes",
	"kubernetes.default.svc.cluster.local",
	"host.docker.internal",
	"gateway.docker.internal",
	"redis",
	"router.lan",
	"nas.home",
	"box.home.arpa",
	"wiki.corp",
	"wiki.intranet",
	"db.private",
	"example.com.",
	"127.0.0.1.localhost",
];

/** URLs with misleading parts. */
const TRICKS = [
	"http://8.8.8.8@127.0.0.1/",
	"http://127.0.0.1@8.8.8.8/",
	"http://user:password@example.com/",
	"http://:password@example.com/",
	"http://user@example.com/",
	"http://example.com:80@127.0.0.1/",
	"http://example.com%40127.0.0.1/",
	"http://127.0.0.1%23@example.com/",
	"http://127.0.0.1#@example.com/",
	"http://127.0.0.1?@example.com/",
	"http://127.0.0.1/@example.com/",
	"http://127.0.0.1\\@example.com/",
	"http://127.0.0.1;@example.com/",
	"http:\\\\127.0.0.1/",
	"http:/127.0.0.1/",
	"http:127.0.0.1/",
	"http:///127.0.0.1/",
	"http://///127.0.0.1/",
	" http://127.0.0.1/",
	"http://127.0.0.1 /",
	"http://127.0.0.1\t/",
	"ht\ntp://127.0.0.1/",
	"http://127.0.\r\n0.1/",
	"http://127.0.0.1:80\\@example.com:80/",
	"http://127.0.0.1:65535/",
	"http://127.0.0.1:0/",
	"http://127.0.0.1:22/",
	"http://127.0.0.1:6379/%0d%0aFLUSHALL",
	"https://127.0.0.1/",
	"https://localhost:443/",
	"HTTP://127.0.0.1/",
	"http://127.1/",
	"http://0/",
	"http://0x0/",
	"http://00/",
	"http://127.0.1/",
	"http://0177.1/",
	"http://0x7f.1/",
	"http://017700000001/",
	"http://[::ffff:127.0.0.1%25eth0]/",
	"http://[fe80::1%25eth0]/",
	"http://[::1%lo]/",
	"http://[::]:80/",
	"http://[::1]:80/",
	"http://①②⑦.⓪.⓪.①/",
	"http://168.63.129.16/machine?comp=goalstate",
	"http://169.254.169.254/latest/meta-data/iam/security-credentials/",
	"http://169.254.170.2/v2/credentials",
	"http://169.254.0.23/",
	"http://169.254.42.42/",
	"http://[fd00:ec2::254]/latest/meta-data/",
];

const SCHEMES = [
	"file:///etc/passwd",
	"file://127.0.0.1/etc/passwd",
	"ftp://127.0.0.1/",
	"gopher://127.0.0.1:6379/_INFO",
	"dict://127.0.0.1:11211/stat",
	"ldap://127.0.0.1/",
	"ws://127.0.0.1/",
	"wss://example.com/",
	"data:text/plain,hello",
	"blob:http://127.0.0.1/0000",
	"javascript:fetch('http://127.0.0.1')",
	"about:blank",
	"jar:http://127.0.0.1!/",
	"view-source:http://127.0.0.1/",
	"unix:/var/run/docker.sock",
	"http+unix://%2Fvar%2Frun%2Fdocker.sock/info",
	"node:fs",
	"mailto:a@127.0.0.1",
];

const parseOctets = (address: string) => address.split(".").map(Number);

/** URLs that can be refused without a DNS lookup. */
export const HOSTILE_URLS: readonly string[] = unique([
	...PRIVATE_IPV4.flatMap((address) =>
		Object.values(SPELLINGS).map((spell) => `http://${spell(parseOctets(address))}/`),
	),
	...[...PRIVATE_IPV4, "8.8.8.8"].flatMap((address) =>
		Object.values(EMBEDDINGS).map((embed) => `http://${embed(parseOctets(address))}/`),
	),
	...IPV6.map((address) => `http://[${address}]/`),
	...NAMES.map((name) => `http://${name}/`),
	...TRICKS,
	...SCHEMES,
]);

/** DNS answers for a name that looks public; one bad address is enough. */
export const HOSTILE_ANSWERS: readonly (readonly string[])[] = [
	...PRIVATE_IPV4.map((address) => [address]),
	...PRIVATE_IPV4.map((address) => [`::ffff:${address}`]),
	...IPV6.map((address) => [address]),
	["93.184.215.14", "127.0.0.1"],
	["127.0.0.1", "93.184.215.14"],
	["93.184.215.14", "1.1.1.1", "10.0.0.1"],
	["2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::1"],
	["93.184.215.14", "::ffff:169.254.169.254"],
	["168.63.129.16"],
	["fe80::1%eth0"],
	["not an address"],
	[""],
];

/** Spellings of the address of a local service. */
export const THIS_MACHINE: readonly string[] = [
	...["127.0.0.1", "127.0.0.2", "127.255.255.254", "0.0.0.0"].flatMap((address) =>
		Object.values(SPELLINGS).map((spell) => spell(parseOctets(address))),
	),
	"[::1]",
	"[::]",
	"[0:0:0:0:0:0:0:1]",
	"localhost",
	"LOCALHOST",
	"a.localhost",
	"localhost.",
	"127.1",
	"0",
];

function unique(urls: readonly string[]): string[] {
	return [...new Set(urls)];
}

function toNumber(octets: readonly number[]): number {
	return octets.reduce((sum, octet) => sum * 256 + octet, 0);
}

function toGroups([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string {
	return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function hex(code: number): string {
	return code.toString(16).padStart(2, "0");
}

function shiftDigit(digit: string, base: number): string {
	return String.fromCodePoint(base + Number(digit));
}
