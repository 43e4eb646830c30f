{-# dialect_resources: {} #-}
