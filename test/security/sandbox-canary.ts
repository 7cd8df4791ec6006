/**
 * Lists everything that code can see: every object reachable from the global one, with its properties, their flags and
 * values. The text is the same each time if earlier code left nothing behind.
 */
export const CANARY = `
const numbers = new Map([[globalThis, 0]]);
const queue = [globalThis];
const lines = [];
const named = (value) => {
	if ((typeof value !== "object" && typeof value !== "function") || value === null) return typeof value + " " + String(value);
	if (!numbers.has(value)) {
		numbers.set(value, numbers.size);
		queue.push(value);
	}
	return "#" + numbers.get(value);
};
console.log("canary");
for (const object of queue) {
	lines.push("#" + numbers.get(object) + " " + typeof object + Object.isExtensible(object) + named(Object.getPrototypeOf(object)));
	for (const key of Reflect.ownKeys(object)) {
		const { value, get, set, ...flags } = Object.getOwnPropertyDescriptor(object, key);
		const held = get === undefined && set === undefined ? named(value) : named(get) + named(set);
		lines.push(String(key) + Object.values(flags).map(Number).join("") + held);
	}
}
const random = Math.random();
if (!(random >= 0 && random < 1) || Math.abs(Date.now() - input.now) > 60000) lines.push("wrong");
return lines.join("\\n");
`;
