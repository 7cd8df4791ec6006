/** Sums of prices have digits that are only the error of floating-point numbers. */
export const roundCost = (cost: number): number => Math.round(cost * 1e9) / 1e9;
