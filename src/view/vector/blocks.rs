//! Rows of equal width in blocks of fixed size: growing never moves what is there.

/// Rows of one block.
const BLOCK_ROWS: usize = 1 << 12;

#[derive(Debug)]
pub(super) struct Blocks<T> {
    width: usize,
    rows: usize,
    held: Vec<Box<[T]>>,
}

impl<T: Copy + Default> Blocks<T> {
    pub(super) fn new(width: usize) -> Blocks<T> {
        Blocks { width, rows: 0, held: Vec::new() }
    }

    pub(super) fn row(&self, row: usize) -> &[T] {
        let start = (row % BLOCK_ROWS) * self.width;
        &self.held[row / BLOCK_ROWS][start..start + self.width]
    }

    pub(super) fn push(&mut self, numbers: &[T]) {
        if self.rows.is_multiple_of(BLOCK_ROWS) {
            self.held.push(vec![T::default(); BLOCK_ROWS * self.width].into());
        }
        self.rows += 1;
        self.set(self.rows - 1, numbers);
    }

    pub(super) fn set(&mut self, row: usize, numbers: &[T]) {
        let start = (row % BLOCK_ROWS) * self.width;
        self.held[row / BLOCK_ROWS][start..start + self.width].copy_from_slice(numbers);
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let block = BLOCK_ROWS * self.width * size_of::<T>();
        self.held.len() * block + self.held.capacity() * size_of::<Box<[T]>>()
    }
}
