/** A small, typical function: the total of an order, and a text for each of its lines. */
export const CODE = `
const lines = input.lines.map((line) => {
	const net = line.quantity * line.price;
	const total = Math.round(net * (100 + line.tax)) / 100;
	return { sku: line.sku, label: \`\${line.quantity} x \${line.name.trim()}\`, total };
});
const total = lines.reduce((sum, line) => sum + line.total, 0);
return { id: input.id, label: \`\${input.customer}: \${total.toFixed(2)} \${input.currency}\`, total, lines };
`;

const TAXES = [0, 7, 19];

const createOrder = (lines: number) => ({
	id: "2026-000117",
	customer: "Ada Lovelace",
	currency: "EUR",
	lines: Array.from({ length: lines }, (_, index) => ({
		sku: `A-${1000 + index}`,
		name: `Brass gear with ${12 + index} teeth `,
		quantity: 1 + (index % 4),
		price: 4.5 + index * 1.25,
		tax: TAXES[index % TAXES.length] as number,
	})),
});

/** Half a kilobyte of JSON. */
export const ORDER = createOrder(5);
/** Two kilobytes of JSON. */
export const LONG_ORDER = createOrder(20);

export const ORDER_TEXT = JSON.stringify(ORDER);

const native = new Function("input", CODE) as (input: unknown) => unknown;

/** The same code run by Node, JSON in and JSON out. */
export const nativeCall = (text: string): string => JSON.stringify(native(JSON.parse(text)));

/** A workflow with one code node that gets the input of the run. */
export const codeGraph = (id: string): object => ({
	id,
	nodes: [{ id: "order", component: "code", params: { code: CODE, input: "{{input}}" } }],
	edges: [],
});
