/// Values by an id that only grows: kept in the order of their ids, found by binary search. Iteration has the same order
/// in every process, which a `Dictionary`'s has not.
struct IDTable<ID: Comparable & Sendable, Value: Sendable>: Sendable {
    private(set) var ids: [ID] = []
    private(set) var values: [Value] = []

    var count: Int { ids.count }
    var isEmpty: Bool { ids.isEmpty }

    private func place(of id: ID) -> Int {
        var low = 0
        var high = ids.count
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func index(of id: ID) -> Int? {
        let place = place(of: id)
        return place < ids.count && ids[place] == id ? place : nil
    }

    func contains(_ id: ID) -> Bool { index(of: id) != nil }

    /// The value of an id; setting `nil` removes it.
    subscript(id: ID) -> Value? {
        get { index(of: id).map { values[$0] } }
        set {
            let place = place(of: id)
            let isThere = place < ids.count && ids[place] == id
            switch (newValue, isThere) {
            case (let value?, true): values[place] = value
            case (let value?, false):
                ids.insert(id, at: place)
                values.insert(value, at: place)
            case (nil, true):
                ids.remove(at: place)
                values.remove(at: place)
            case (nil, false): break
            }
        }
    }

    /// Looks at a value where it lies: taking it out would copy all that is in it.
    func look<Result>(at id: ID, _ look: (borrowing Value) -> Result) -> Result? {
        guard let index = index(of: id) else { return nil }
        return values.withUnsafeBufferPointer { look($0[index]) }
    }

    /// Changes a value where it lies, without a copy; `nil` when the id is not there.
    @discardableResult
    mutating func update<Result>(_ id: ID, _ change: (inout Value) -> Result) -> Result? {
        guard let index = index(of: id) else { return nil }
        return change(&values[index])
    }
}
