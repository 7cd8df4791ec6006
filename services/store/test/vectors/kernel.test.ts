import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { buildKernelModule, createKernel, plainKernel, simdKernel } from "../../src/vectors/kernel.ts";
import { getStoredLength, quantise, restore } from "../../src/vectors/quantise.ts";

const arbitraryVector = (dimensions: number) =>
	fc
		.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions })
		.map((values) => Float32Array.from(values));

function toStored(vectors: readonly Float32Array[], dimensions: number): Uint8Array {
	const bytes = new Uint8Array(vectors.length * getStoredLength(dimensions));
	for (const [index, vector] of vectors.entries()) {
		bytes.set(quantise(vector) ?? [], index * getStoredLength(dimensions));
	}
	return bytes;
}

function cosine(one: Float32Array, other: Float32Array): number {
	const dot = (a: Float32Array, b: Float32Array) =>
		a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
	return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

describe("a stored vector", () => {
	test("keeps its direction", () => {
		fc.assert(
			fc.property(fc.integer({ min: 8, max: 300 }).chain(arbitraryVector), (vector) => {
				const bytes = quantise(vector);
				if (bytes === null) return vector.every((value) => value === 0);
				return cosine(restore(bytes), vector) > 0.999;
			}),
		);
	});

	test("does not exist for a vector without a direction", () => {
		assert.equal(quantise(new Float32Array(10)), null);
		assert.equal(quantise(Float32Array.of(1, Number.POSITIVE_INFINITY)), null);
		assert.equal(quantise(Float32Array.of(1, Number.NaN)), null);
	});
});

describe("the kernel", () => {
	test("compiles on this runtime and is smaller than half a kilobyte", () => {
		assert.notEqual(simdKernel(), null);
		assert.ok(buildKernelModule().length < 512);
	});

	test("gives the same results as the plain loop, for any number of dimensions and vectors", () => {
		const kernel = createKernel();
		const cases = fc
			.integer({ min: 1, max: 70 })
			.chain((dimensions) =>
				fc.tuple(fc.array(arbitraryVector(dimensions), { maxLength: 20 }), arbitraryVector(dimensions)),
			);
		fc.assert(
			fc.property(cases, ([vectors, query]) => {
				const asked = quantise(query);
				if (asked === null) return;
				const bytes = toStored(vectors, query.length);
				assert.deepEqual([...kernel(asked, bytes)], [...plainKernel(asked, bytes)]);
			}),
		);
	});

	test("handles more vectors than fit into its memory at once", () => {
		const dimensions = 100;
		const vectors = Array.from({ length: 5_000 }, (_, nth) =>
			Float32Array.from({ length: dimensions }, (_, at) => Math.sin(nth * dimensions + at)),
		);
		const bytes = toStored(vectors, dimensions);
		const query = bytes.subarray(3_000 * 104, 3_001 * 104);
		const scores = createKernel()(query, bytes);
		assert.equal(scores.length, 5_000);
		assert.ok(Math.abs((scores[3_000] as number) - 1) < 1e-6);
		assert.deepEqual([...scores], [...plainKernel(query, bytes)]);
	});

	test("computes the cosine, and zero for a cleared position", () => {
		const one = Float32Array.of(1, 2, 3, -4);
		const other = Float32Array.of(-1, 0.5, 2, 2);
		const bytes = toStored([one, other, new Float32Array(4)], 4);
		const [self = 0, cross = 0, cleared] = createKernel()(quantise(one) as Uint8Array, bytes);
		assert.ok(Math.abs(self - 1) < 1e-6);
		assert.ok(Math.abs(cross - cosine(one, other)) < 0.02);
		assert.equal(cleared, 0);
	});
});
